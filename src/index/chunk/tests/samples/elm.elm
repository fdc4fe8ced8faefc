module Shop.Cart exposing (Cart, Msg(..), total)

import Html exposing (Html, div)
import Html.Attributes as Attr
import Shop.Money


{-| What a customer puts in it. -}
type alias Cart =
    { items : List Item
    , coupon : Maybe Shop.Money.Coupon
    }


type Msg
    = Add Item
    | Clear


{-| Sums it up. -}
total : Cart -> Shop.Money.Money
total cart =
    let
        double x =
            x * 2
    in
    List.foldl add Shop.Money.zero cart.items


view : Cart -> Html Msg
view cart =
    div [ Attr.class "cart" ] [ row (total cart) ]


port saved : String -> Cmd msg

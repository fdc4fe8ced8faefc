// Licence

/// Orders and carts.
module rec Shop.Orders

open System
open Shop.Money

#if DEBUG
let trace = printfn "%s"
#endif

/// The state of an order.
[<RequireQualifiedAccess>]
type State =
    | Open
    /// With the day.
    | Shipped of day: DateTime * by: string
    | Lost

type Shape = Circle of float | Square of float

[<Struct>]
type Order =
    { Id: int
      mutable Price: Money; Count: int }

    member this.Total = this.Price * decimal this.Count
    member this.With(price: Money, ?count) =
        { this with Price = price }
    static member Empty = { Id = 0; Price = Money.Zero; Count = 0 }
    static member (+) (a: Order, b: Order) = a

and Pair<'a, 'b> = 'a * 'b

type ICart =
    abstract Add: Order -> unit
    abstract Size: int

exception OutOfStock of Order

/// Holds orders.
type Cart(owner: string, ?limit) as self =
    inherit Base(owner)
    let items = ResizeArray<Order>()
    let rec find id = items |> Seq.tryFind (fun one -> one.Id = id)
    do printfn "%s" owner
    new() = Cart("nobody")
    member val Name = owner with get, set
    member x.Find(id) = find id
    override _.ToString() = "cart"
    interface ICart with
        member cart.Add(order) =
            items.Add order
            self.Log(order)
        member _.Size = items.Count

type String with
    member s.Shout() = s.ToUpper()

[<Literal>]
let Limit = 10

let zero = Money.Zero
let ``odd name`` = 'x'
let a, b = 1, 2

let (|Even|Odd|) n = if n % 2 = 0 then Even else Odd

let inline (<+>) (x: Money) y = add x y

/// Adds up.
let total
    (orders: Order list)
    (rate: float)
    : Money =
    let one = 1
    let sum price order = price + order.Price
    orders
    |> List.map (fun order -> order.Total)
    |> List.fold sum Money.Zero
    |> applyTax rate one

let rec isEven n = match n with | 0 -> true | m -> isOdd (m - 1)
and isOdd n = not (isEven n)

module Tax =
    let private rate = function
        | State.Open -> 0.1
        | State.Shipped(day, _) when day > DateTime.Now -> 0.2
        | _ -> 0.3

    module Inner =
        let twice x = x + x

module L = List

let text = """let fake = 1
type Fake = { A: int }"""
let path = @"C:\temp\"
(* let hidden = 1 (* nested *) *)
let last = Tax.Inner.twice Limit

unit Cart;

interface

uses
  SysUtils, Shop.Money;

const
  MaxItems = 10;

type
  { Where an order stands. }
  TState = (Open, Paid);

  TPoint = record
    X, Y: Integer;
  end;

  // What a customer puts in it.
  TCart = class(TBase)
  private
    FItems: TItemList;
  public
    constructor Create(AOwner: TShop);
    procedure Add(AItem: TItem);
    property Items: TItemList read FItems;
  end;

function Total(Cart: TCart): TMoney;

implementation

constructor TCart.Create(AOwner: TShop);
begin
  inherited Create;
  FItems := TItemList.Create;
end;

procedure TCart.Add(AItem: TItem);
var
  Index: Integer;
begin
  CheckItem(AItem);
  FItems.Append(AItem);
  Refresh;
end;

function Total(Cart: TCart): TMoney;
begin
  Result := SumOf(Cart.Items);
end;

end.

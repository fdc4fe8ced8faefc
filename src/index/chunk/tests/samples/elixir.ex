# Orders of the shop.

defmodule Shop.Orders do
  @moduledoc """
  Stores orders.
  """

  use GenServer
  @behaviour Shop.Payable
  import Ecto.Query, only: [from: 2]
  alias Shop.{Line, Repo}
  alias Shop.Model.Order, as: OrderModel
  require Logger

  @max_items 20
  @type id :: pos_integer()
  @callback pay(OrderModel.t(), integer()) :: boolean()

  defstruct [:id, lines: []]

  @doc """
  Finds an order.

  See docs/orders.md
  """
  @spec find(id()) :: {:ok, OrderModel.t()} | :error
  def find(id) when is_integer(id) do
    query = from(o in OrderModel, where: o.id == ^id)

    case Repo.one(query) do
      nil -> :error
      order -> {:ok, order |> preload() |> Line.expand(:all)}
    end
  end

  def find(_), do: :error

  # Loads the lines.
  defp preload(order) do
    Repo.preload(order, :lines)
  end

  @impl true
  def handle_call({:pay, amount}, _from, state) do
    Logger.info("paying #{amount}")
    {:reply, pay(%Line{amount: amount}), state}
  end

  defmacro with_order(do: block) do
    quote do
      unquote(block)
    end
  end

  defguard is_open(order) when order.state == :open

  defdelegate total(order), to: Shop.Money

  def left <~> right, do: {left, right}
end

defprotocol Shop.Payable do
  @doc "Pays."
  def pay(order, amount)
end

defimpl Shop.Payable, for: Shop.Orders do
  def pay(order, amount), do: order.total >= amount
end

defmodule Shop.OrdersTest do
  use ExUnit.Case, async: true

  describe "find/1" do
    setup [:create]

    test "finds an order", %{order: order} do
      assert {:ok, _} = Shop.Orders.find(order.id)
    end
  end
end

%%% The cart of the shop.
-module(shop_cart).
-behaviour(gen_server).
-export([start_link/1, total/1]).
-import(lists, [map/2, foldl/3]).
-include("shop.hrl").
-include_lib("kernel/include/logger.hrl").

-define(TIMEOUT, 5000).
-record(cart, {items = [] :: [item()], owner}).
-type item() :: {binary(), shop_money:money()}.

%% Starts the process.
-spec start_link(binary()) -> {ok, pid()}.
start_link(Owner) ->
    gen_server:start_link(?MODULE, Owner, [{timeout, ?TIMEOUT}]).

total(#cart{items = []}) ->
    shop_money:zero();
total(#cart{items = Items}) ->
    foldl(fun add/2, 0, Items).

add({_, Price}, Sum) ->
    shop_money:add(Price, Sum).

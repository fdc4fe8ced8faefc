-- The counter of the shop.
library ieee;
use ieee.std_logic_1164.all;
use work.shop_types.all;

entity counter is
  generic (WIDTH : natural := 8);
  port (
    clk   : in  std_logic;
    count : out std_logic_vector(WIDTH - 1 downto 0)
  );
end entity counter;

architecture rtl of counter is
  type state_t is (IDLE, RUN);
  constant LIMIT : natural := 10;
  signal state : state_t;

  function next_state(s : state_t) return state_t is
  begin
    return RUN;
  end function;
begin
  -- Counts.
  step : process (clk)
  begin
    if rising_edge(clk) then
      state <= next_state(state);
    end if;
  end process;

  divider : entity work.clock_divider
    port map (clk => clk);
end architecture rtl;

package shop_types is
  type item_t is record
    id : natural;
  end record;
  procedure clear(signal s : out state_t);
end package shop_types;

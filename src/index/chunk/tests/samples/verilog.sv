// A small shop in hardware.
`timescale 1ns / 1ps
`include "shop_defs.svh"

// Doubles a value.
`define TWICE(x) \
  ((x) + (x))

package shop_pkg;
  localparam int unsigned Width = 8;

  typedef enum logic [1:0] {
    Idle = 2'b00,
    Busy
  } state_e;

  // An order.
  typedef struct packed {
    logic [Width-1:0] price;
    state_e state, last;
  } order_t;

  typedef class cart;

  function automatic logic [Width-1:0] total(input logic [Width-1:0] price, int count);
    logic [Width-1:0] sum;
    sum = `TWICE(price) * count;
    return sum;
  endfunction : total

  import "DPI-C" function int c_rand(input int seed);
endpackage

/* Counts orders,
 * one a cycle. */
module counter import shop_pkg::*; #(
  parameter int unsigned Depth = 4,
  parameter type item_t = logic
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  order_t order_i,
  output logic [Width-1:0] sum_o, last_o
);
  wire [Depth-1:0] full;
  state_e state_d, state_q = Idle;
  logic [3:0] lanes [Depth];

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    logic step;
    if (!rst_ni) state_q <= Idle;
    else state_q <= state_d;
  end

  assign sum_o = total(order_i.price, 8'hFF);

  if (Depth > 1) begin : g_lanes
    logic carry;
    fifo #(.Depth(Depth)) u_fifo (
      .clk_i,
      .data_i (order_i.price),
      .full_o (full[0])
    );
  end
endmodule

// Without types in the head.
module fifo(clk_i, data_i, full_o);
  parameter Depth = 2;
  input clk_i;
  input [7:0] data_i;
  output full_o;
  reg full_o;

  task push;
    input [7:0] value;
    full_o = value > Depth;
  endtask
endmodule

interface bus_if (input logic clk);
  logic valid;
  modport target (input valid);
endinterface

virtual class item extends uvm_object;
  rand bit [7:0] price;
  constraint cheap { price < 8'd10; }
  pure virtual function void print();
  extern function new(string name = "item");
endclass

class cart extends item implements printable;
  protected item items[$];
  virtual bus_if vif;

  function new(string name = "cart");
    super.new(name);
  endfunction

  virtual function void add(item one);
    items.push_back(one);
    price = shop_pkg::total(one.price, 2);
    `uvm_info("CART", "added", UVM_LOW)
  endfunction
endclass

function void item::print();
  $display("%d", price);
endfunction

module broken (
  input a
endmodule

module after_it;
  cart basket;
endmodule

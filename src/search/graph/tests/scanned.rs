//! Languages that are read by a scanner instead of a grammar.

use super::check;

#[test]
fn modules_of_verilog_are_global() {
    check(
        &[
            (
                "rtl/top.sv",
                "module top import shop_pkg::*; (input logic clk);\n  state_e state;\n  fifo #(.Depth(2)) u_fifo (.clk_i(clk));\n  \
                 assign a = total(Idle) + `LIMIT;\nendmodule\n",
            ),
            ("rtl/fifo.sv", "module fifo #(parameter Depth = 1) (input logic clk_i);\nendmodule\n"),
            ("rtl/other.sv", "module other (input logic clk_i);\nendmodule\n"),
            (
                "rtl/shop_pkg.sv",
                "`define LIMIT 4\npackage shop_pkg;\n  typedef enum { Idle } state_e;\n  function int total(int a);\n  \
                 endfunction\nendpackage\n",
            ),
        ],
        &[
            ("rtl/top.sv", "fifo", &["rtl/fifo.sv fifo (only declaration)"]),
            ("rtl/top.sv", "clk_i", &["rtl/fifo.sv fifo.clk_i (qualifier)"]),
            ("rtl/top.sv", "state_e", &["rtl/shop_pkg.sv shop_pkg.state_e (import)"]),
            ("rtl/top.sv", "total", &["rtl/shop_pkg.sv shop_pkg.total (import)"]),
            ("rtl/top.sv", "LIMIT", &["rtl/shop_pkg.sv LIMIT (import)"]),
        ],
    );
}

#[test]
fn modules_of_fsharp_are_opened_and_named() {
    check(
        &[
            (
                "src/Orders.fs",
                "module Shop.Orders\n\nopen Shop.Money\n\nlet total order = add (Tax.rate order) 1\n\ntype Cart() =\n    \
                 member this.Sum = this.Count\n    member this.Count = 1\n",
            ),
            ("src/Money.fs", "module Shop.Money\n\nlet add a b = a + b\n"),
            ("src/Tax.fs", "namespace Shop\n\nmodule Tax =\n    let rate order = 1\n\n    let add a = a\n"),
        ],
        &[
            ("src/Orders.fs", "add", &["src/Money.fs Shop.Money.add (import)"]),
            ("src/Orders.fs", "rate", &["src/Tax.fs Shop.Tax.rate (qualifier)"]),
            ("src/Orders.fs", "Count", &["src/Orders.fs Shop.Orders.Cart.Count (same type)"]),
        ],
    );
}

#[test]
fn assembly_calls_c_and_the_reverse() {
    check(
        &[
            ("src/copy.S", ".globl shop_copy\nshop_copy:\n  call shop_log\n  ret\n"),
            ("src/main.c", "void shop_copy(void);\n\nvoid shop_log(void) {\n  shop_copy();\n}\n"),
        ],
        &[
            ("src/copy.S", "shop_log", &["src/main.c shop_log (only declaration)"]),
            ("src/main.c", "shop_copy", &["src/copy.S shop_copy (only declaration)"]),
        ],
    );
}

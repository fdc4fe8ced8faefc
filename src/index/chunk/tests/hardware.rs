//! Verilog and assembly: what declares, and what only looks so.

use super::super::{ChunkOptions, Language, ReferenceKind, chunk};
use super::declarations::check;

#[test]
fn arguments_of_a_supertype_declare_nothing() {
    check(&[(
        "verilog",
        "class a #(type T = int) extends base #(.REQ (foo_t), .CFG(bar_t));\n  int n;\nendclass\n\
         class b extends base #(foo_t);\nendclass\n",
        &["class a", "constant a.T", "field a.n", "class b"],
    )]);
}

#[test]
fn arguments_of_a_macro_declare_nothing() {
    check(&[(
        "verilog",
        "module m;\n  `SIGNAL(logic, x, y)\n  `MARK\n  logic z;\nendmodule\n",
        &["class m", "variable m.z"],
    )]);
}

#[test]
fn events_and_functions_in_a_head_are_no_parts_of_it() {
    check(&[
        (
            "verilog",
            "interface i(input logic clk);\n  clocking cb @(posedge clk);\n  endclocking\nendinterface\n",
            &["interface i", "field i.clk", "variable i.cb"],
        ),
        (
            "verilog",
            "class c;\n  covergroup seen with function sample(bit a);\n  endgroup\nendclass\n",
            &["class c", "class c.seen", "field c.seen.a"],
        ),
    ]);
}

#[test]
fn a_condition_between_ports_is_no_port() {
    check(&[(
        "verilog",
        "module m (\n`ifdef RVFI\n  output logic valid,\n`endif\n  input logic clk\n`ifdef B\n  , input logic b\n`endif\n);\nendmodule\n",
        &["class m", "field m.valid", "field m.clk", "field m.b"],
    )]);
}

#[test]
fn a_block_that_both_branches_open_is_closed_once() {
    check(&[
        (
            "verilog",
            "module m;\n  always @* begin\n`ifdef A\n    if (x) begin\n`else\n    if (y) begin\n`endif\n    end\n  end\n  reg z;\nendmodule\n",
            &["class m", "variable m.z"],
        ),
        (
            "verilog",
            "module m;\n  assign a = {\n`ifdef A\n    {x,\n`else\n    {y,\n`endif\n    z}};\n  reg b;\nendmodule\nmodule n;\nendmodule\n",
            &["class m", "variable m.b", "class n"],
        ),
    ]);
}

#[test]
fn old_designs_use_newer_words_as_names() {
    check(&[("verilog", "module m;\n  reg expect;\nendmodule\n", &["class m", "variable m.expect"])]);
}

#[test]
fn sizes_of_operands_are_no_variables() {
    check(&[(
        "assembly",
        "f:\n  mov qword ptr [rsp+8], rax\n  prefetcht0 byte ptr [rax]\n  mov dword [x], 1\n  ret\nsize dword 4\nbuf resb 10\n",
        &["function f", "variable size", "variable buf"],
    )]);
}

#[test]
fn code_behind_data_is_no_part_of_it() {
    check(&[
        (
            "assembly",
            "irq_regs:\n  .fill 36,4\nirq_stack:\n  .fill 128,4\nstart:\n  addi x1, zero, 0\nagain:\n  j again\n",
            &["variable irq_regs", "variable irq_stack", "function start"],
        ),
        ("assembly", "a: .long 1\n .text\nb:\n  nop\n", &["variable a", "function b"]),
        // `CANARY` may be data, too.
        ("assembly", "a: .long 1\nb:\n  CANARY;\n", &["variable a"]),
    ]);
}

#[test]
fn macros_begin_functions() {
    check(&[
        ("assembly", "FUNC_START(add)\n  ret\nFUNC_END(add)\n", &["function add"]),
        ("assembly", "  ARM_FUNC_START sub\n  bx lr\n", &["function sub"]),
    ]);
}

#[test]
fn the_use_of_a_macro_is_a_reference() {
    let text = "  .macro save a\n  nop\n  .endm\nf:\n  save x1\n  TEST_RR(2, 3)\n  addi x1, x1, 1\n";
    let file = chunk(Language::from_name("assembly").unwrap(), text, &ChunkOptions::default());
    let calls = file.references.iter().filter(|one| one.kind == ReferenceKind::Call);
    let names: Vec<&str> = calls.map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["TEST_RR", "save"]);
}

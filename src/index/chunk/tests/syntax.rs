//! Tests of syntax that a grammar does not know, or reads wrongly.

use super::declarations::check;

#[test]
fn a_shift_of_ruby_does_not_hide_the_file() {
    let many = "# A `<<` before a quote.\n".repeat(100) + "class A\n  def b = 1\nend\n";
    check(&[("ruby", &many, &["class A", "method A::b"])]);
}

#[test]
fn setters_and_other_names_of_methods_are_declared() {
    check(&[(
        "ruby",
        "class A\n  def b=(x)\n  end\n  def self.c=(x)\n  end\n  alias d e\n  alias :f :g\n  alias_method :h, :i\n  alias_method \"j?\", \"k\"\n  l.alias_method :m, :n\nend\nalias $o $p\n",
        &[
            "class A",
            "method A::b=",
            "method A::c=",
            "method A::d",
            "method A::f",
            "method A::h",
            "method A::j?",
        ],
    )]);
}

#[test]
fn ambient_variables_of_typescript_are_declared() {
    check(&[(
        "typescript",
        "declare const A: number;\ndeclare let b: string, c: D;\nexport declare const E: { f: G };\ndeclare var h: unknown;\n",
        &["constant A", "variable b", "variable c", "constant E", "variable h"],
    )]);
}

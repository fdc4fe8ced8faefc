//! Tests of the scopes of declarations that name their type, and of members that are not methods.

use super::declarations::check;

#[test]
fn an_extension_belongs_to_all_of_the_type_that_it_names() {
    check(&[
        (
            "swift",
            "extension Outer.Inner where T == Int { func b() {} }\nextension A<Int>.B { func c() {} }\nextension C { func d() {} }\n",
            &[
                "implementation Outer.Inner",
                "method Outer.Inner.b",
                "implementation A.B",
                "method A.B.c",
                "implementation C",
                "method C.d",
            ],
        ),
        (
            "kotlin",
            "fun Outer.Inner.ext() {}\nfun <T> a.b.List<T>.second() {}\nval String.half: Int get() = 1\nval Outer.Inner?.prop: Int get() = 2\nval top = 1\n",
            &[
                "method Outer.Inner.ext",
                "method a.b.List.second",
                "field String.half",
                "field Outer.Inner.prop",
                "variable top",
            ],
        ),
        (
            "dart",
            "extension on Color { int dark() => 1; }\nextension Named on Color { int light() => 1; }\n",
            &["implementation Color", "method Color.dark", "implementation Named", "method Named.light"],
        ),
    ]);
}

#[test]
fn events_are_fields() {
    check(&[(
        "c-sharp",
        "class A { public event EventHandler<X> Changed, Other; int x = 1; const int N = 2; }\n",
        &["class A", "field A.Changed", "field A.Other", "constant A.N"],
    )]);
}

#[test]
fn properties_with_code_are_fields() {
    check(&[(
        "php",
        "<?php\nclass A {\n  public string $plain;\n  public string $name { get => $this->n; set { $this->n = 1; } }\n}\n",
        &["class A", "field A::name"],
    )]);
}

//! F#: which bindings, types and alternatives are declared, and where each ends.

use super::declarations::check;

#[test]
fn the_star_in_parentheses_is_an_operator() {
    check(&[
        (
            "fsharp",
            "module A\nlet f = List.fold (*) 1\nlet g = 2\n",
            &["module A", "variable A.f", "variable A.g"],
        ),
        ("fsharp", "module A\n(* a (*) b *)\nlet g = 2\n", &["module A", "variable A.g"]),
    ]);
}

#[test]
fn a_type_without_a_body_has_no_body() {
    check(&[(
        "fsharp",
        "module A\ntype Opaque\ntype After = int\nexception Bad\n[<Measure>] type m\nlet x = 1\n",
        &["module A", "class A.Opaque", "type A.After", "class A.Bad", "class A.m", "variable A.x"],
    )]);
}

#[test]
fn bindings_in_an_expression_are_local() {
    check(&[
        (
            "fsharp",
            "module A\nTarget.create \"Clean\" (fun _ ->\n    let dir = 1\n    let go z = z\n    go dir)\n\
             if ready then\n    let b = 1\n    show b\nelse\n    let c = 2\n    show c\ndo\n    let d = 3\n    show d\nlet last = 4\n",
            &["module A", "variable A.last"],
        ),
        (
            "fsharp",
            "module A\ntype C() =\n    let n = 1\n    do\n        let local = 1\n        show local\n    member x.N = n\n",
            &["module A", "class A.C", "field A.C.n", "field A.C.N"],
        ),
    ]);
}

#[test]
fn a_pattern_declares_its_names() {
    check(&[
        (
            "fsharp",
            "module A\nlet a, b = f ()\nlet (c: int) = 3\nlet { X = x; Y = _ } = p\nlet last = 1\n",
            &["module A", "variable A.a", "variable A.b", "variable A.c", "variable A.x", "variable A.last"],
        ),
        (
            "fsharp",
            "module A\nlet (|Even|Odd|) n = if n then Even else Odd\nlet (|Prefix|_|) p = None\n",
            &["module A", "function A.Even", "function A.Odd", "function A.Prefix"],
        ),
    ]);
}

#[test]
fn functions_of_a_class_may_call_each_other() {
    check(&[(
        "fsharp",
        "module A\ntype C() =\n    let rec f a = g a\n    and g b = f b\n    member _.P = f 1\nand D = int\n",
        &["module A", "class A.C", "method A.C.f", "method A.C.g", "field A.C.P", "type A.D"],
    )]);
}

#[test]
fn only_names_are_alternatives() {
    check(&[
        (
            "fsharp",
            "module A\ntype T = internal | B | C of int\n",
            &["module A", "enum A.T", "variant A.T.B", "variant A.T.C"],
        ),
        (
            "fsharp",
            "module A\ntype T =\n    | B\n    | C\n    static member F x =\n        match x with\n        | B -> 1\n        | _ -> 2\n",
            &["module A", "enum A.T", "variant A.T.B", "variant A.T.C", "method A.T.F"],
        ),
    ]);
}

#[test]
fn a_function_of_a_library_is_declared() {
    check(&[(
        "fsharp",
        "module A\n[<DllImport(\"kernel32\")>]\nextern uint32 Fetch(int x, string y)\nlet z = 1\n",
        &["module A", "function A.Fetch", "variable A.z"],
    )]);
}

#[test]
fn a_text_at_the_first_column_ends_nothing() {
    let text = "module A\ntype C() =\n    member _.F() =\n        show\n\"\"\"text\nlet fake = 1\n\"\"\"\n    member _.G() = 1\n";
    check(&[("fsharp", text, &["module A", "class A.C", "method A.C.F", "method A.C.G"])]);
}

#[test]
fn parts_in_the_line_of_a_head_are_declared() {
    check(&[
        (
            "fsharp",
            "module A\ntype Item = { Name: string; mutable Price: int }\n  with member this.Total = this.Price\ntype State = Open = 0 | Closed = 1\ntype IShop = abstract Add: int -> int\n             abstract Size: int\nlet last = 1\n",
            &[
                "module A",
                "struct A.Item",
                "field A.Item.Name",
                "field A.Item.Price",
                "field A.Item.Total",
                "enum A.State",
                "variant A.State.Open",
                "variant A.State.Closed",
                "interface A.IShop",
                "method A.IShop.Add",
                "field A.IShop.Size",
                "variable A.last",
            ],
        ),
        (
            "fsharp",
            "module A\ntype Cart() = member _.Total = 1\ntype System.String with member s.Twice() = s + s\nmodule Inner = let z = 1\nlet last = 1\n",
            &[
                "module A",
                "class A.Cart",
                "field A.Cart.Total",
                "implementation A.System.String",
                "method A.System.String.Twice",
                "module A.Inner",
                "variable A.Inner.z",
                "variable A.last",
            ],
        ),
    ]);
}

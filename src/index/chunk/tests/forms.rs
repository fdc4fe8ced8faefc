//! Tests of less common forms of declarations.

use super::declarations::check;

#[test]
fn a_macro_between_values_is_declared() {
    for language in ["c", "cpp"] {
        check(&[
            (
                language,
                "enum color {\n  RED,\n#define RED RED\n  GREEN\n#define GREEN GREEN\n};\nint after;\n",
                &["enum color", "macro color::RED", "macro color::GREEN", "variable after"],
            ),
            (
                language,
                "static const struct option all[] = {\n  { 1 },\n#define B 2\n  { B },\n#define C(x) (x)\n};\nint f(int a,\n#define D 1\n  int b);\n",
                &["variable all", "macro all::B", "macro all::C", "function f", "macro f::D"],
            ),
        ]);
    }
}

#[test]
fn a_macro_behind_a_pointer_to_a_function_is_no_part_of_it() {
    for language in ["c", "cpp"] {
        check(&[(
            language,
            "SHOP_API int (*Shop_Open)(const char *, void *) SHOP_ATTR;\nSHOP_API long long (*Shop_Ms)(void) SHOP_ATTR_PRINTF(2,3) SHOP_ATTR;\nSHOP_API void * (*Shop_Alloc)(size_t n) SHOP_ATTR;\n",
            &["variable Shop_Open", "variable Shop_Ms", "variable Shop_Alloc"],
        )]);
    }
}

#[test]
fn what_powershell_declares() {
    check(&[
        (
            "powershell",
            "$a, $b = 1, 2\n[int]$c = 3\n$d.e = 4\n",
            &["variable $a", "variable $b", "variable $c"],
        ),
        (
            "powershell",
            "[Flags()] enum Access {\n  Read = 1\n}\n[A(b = 'c')]\nclass Cart {\n  [int]$Size\n}\n",
            &["enum Access", "variant Access.Read", "class Cart", "field Cart.$Size"],
        ),
        (
            "powershell",
            "function global:Add-Item($a) { }\nconfiguration Server { Node \"a\" { } }\nSet-Alias ai Add-Item\nNew-Alias -Value Add-Item -Name more\ndata Texts { ConvertFrom-StringData \"a=b\" }\n",
            &["function Add-Item", "function Server", "function ai", "function more", "variable Texts"],
        ),
    ]);
}

#[test]
fn other_entries_and_groups_of_fortran_are_declared() {
    check(&[(
        "fortran",
        "subroutine open(a)\n  real :: a\n  common /sizes/ n, m\n  namelist /all/ n\n  entry reopen(a)\n  a = 1\nend subroutine\n",
        &["function open", "variable open.sizes", "variable open.all", "function open.reopen"],
    )]);
}

#[test]
fn instances_of_packages_and_contexts_are_modules() {
    check(&[(
        "vhdl",
        "package queue is new work.list generic map (T => integer);\ncontext tools is library ieee; end context;\n",
        &["module queue", "module tools"],
    )]);
}

#[test]
fn an_alias_of_a_target_is_a_target() {
    check(&[(
        "cmake",
        "add_library(core a.c)\nadd_library(shop::core ALIAS core)\n",
        &["module core", "module shop::core"],
    )]);
}

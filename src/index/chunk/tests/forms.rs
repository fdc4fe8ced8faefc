//! Tests of less common forms of declarations.

use super::declarations::check;
use super::*;

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

#[test]
fn a_file_of_gdscript_with_a_name_is_a_class() {
    let text = "extends Node\n# The player.\nclass_name Player\nsignal died\nconst MAX = 3\n@export var size := 1\nclass Bag:\n\tvar items\n\tfunc _init(n):\n\t\tpass\nfunc _init():\n\tpass\nfunc run():\n\tvar local = 1\n\twalk()\nfunc walk():\n\tpass\n";
    check(&[
        (
            "gdscript",
            text,
            &[
                "class Player",
                "field Player.died",
                "constant Player.MAX",
                "field Player.size",
                "class Player.Bag",
                "field Player.Bag.items",
                "constructor Player.Bag._init",
                "constructor Player._init",
                "method Player.run",
                "method Player.walk",
            ],
        ),
        ("gdscript", "var size = 1\nfunc run():\n\tpass\n", &["variable size", "function run"]),
    ]);
    let file = chunk(Language::from_name("gdscript").unwrap(), text, &ChunkOptions::default());
    let supertypes = file.references.iter().filter(|one| one.kind == ReferenceKind::Inherits);
    let supertypes: Vec<(&str, &str)> =
        supertypes.map(|one| (one.name.as_str(), one.alias.as_str())).collect();
    assert!(supertypes.contains(&("Node", "Player")), "{supertypes:?}");
}

#[test]
fn an_option_of_a_column_does_not_hide_the_others() {
    check(&[
        (
            "sql",
            "CREATE TABLE users (\n  id int,\n  name text STORAGE EXTERNAL,\n  data jsonb COMPRESSION lz4,\n  EXCLUDE USING gist (c WITH &&)\n);\nCREATE TABLE t2 (a int);\n",
            &[
                "table users",
                "field users.id",
                "field users.name",
                "field users.data",
                "table t2",
                "field t2.a",
            ],
        ),
        (
            "sql",
            "CREATE TABLE [dbo].[Orders](\n\t[Id] [int] IDENTITY(1,1) NOT NULL,\n\t[Name] [nvarchar](max) NULL,\n CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([Id] ASC) ON [PRIMARY]\n) ON [PRIMARY]\nGO\n",
            &["table Orders", "field Orders.Id", "field Orders.Name"],
        ),
        (
            "sql",
            "CREATE OPERATOR CLASS oc DEFAULT FOR TYPE int4 USING btree AS OPERATOR 1 <;\nCREATE OPERATOR === (LEFTARG = box);\nCREATE UNIQUE INDEX main.ix ON t(a COLLATE NOCASE DESC);\n",
            &["type oc", "function ===", "table ix"],
        ),
    ]);
}

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
fn a_macro_behind_a_pointer_to_a_function_is_not_part_of_it() {
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

#[test]
fn constants_of_a_class_and_functions_that_return_references_are_declared() {
    check(&[
        (
            "cpp",
            "struct S {\n  static constexpr int max = 10, min = 1;\n  inline static const char *const name = \"x\";\n  static int count;\n  int size = 1;\n  virtual void f() = 0;\n};\n",
            &["struct S", "constant S::max", "constant S::min", "constant S::name", "method S::f"],
        ),
        (
            "cpp",
            "std::ostream &operator<<(std::ostream &, int);\nconst std::string &name_of(int);\nint &&moved(int a);\n",
            &["function operator<<", "function name_of", "function moved"],
        ),
    ]);
}

#[test]
fn instances_of_modules_are_variables() {
    check(&[(
        "verilog",
        "module m (input clk);\n  sub #(.P(1)) u1 (.clk(clk)), u2 [1:0] (.clk(clk));\nendmodule\nconfig c;\n  design m;\nendconfig\n",
        &["class m", "field m.clk", "variable m.u1", "variable m.u2", "module c"],
    )]);
}

#[test]
fn tests_of_haskell_and_of_tap_are_named_by_strings() {
    check(&[
        (
            "haskell",
            "spec :: Spec\nspec = do\n  describe \"A shop\" $ do\n    it \"opens\" $ pure ()\n    context \"closed\" $\n      it \"is quiet\" $ pure ()\ntests = testGroup \"all\" [testCase \"one\" $ pure ()]\n",
            &[
                "function spec",
                "test spec.A shop",
                "test spec.A shop.opens",
                "test spec.A shop.closed",
                "test spec.A shop.closed.is quiet",
                "function tests",
                "test tests.all",
                "test tests.all.one",
            ],
        ),
        (
            "javascript",
            "tap.test('opens', t => {\n  t.test('inner', t => {});\n  t.equal(1, 1);\n});\n",
            &["test opens", "test opens.inner"],
        ),
    ]);
}

#[test]
fn code_in_documents_and_templates_is_declared() {
    check(&[
        (
            "markdown",
            "import { Chart } from '../chart'\nexport const meta = { title: 'a' }\nexport const a = 1, b = 2\n\n# Hello\n\nimport is a word.\n",
            &[
                "constant `javascript` > meta",
                "constant `javascript` > a",
                "constant `javascript` > b",
                "section Hello",
            ],
        ),
        (
            "blade",
            "@php\n  function helper($a) { return $a; }\n@endphp\n@php($b = 1)\n<p>{{ helper(1) }}</p>\n",
            &["function `php`.helper"],
        ),
        (
            "vue",
            "<script>\nexport default {\n  computed: { total() { return 1 } },\n  methods: { save() {} },\n}\n</script>\n",
            &["method total", "method save"],
        ),
        (
            "xml",
            "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n<artifactId>app</artifactId>\n<properties>\n  <!-- <x>1</x> -->\n  <lib.version>1</lib.version>\n  <empty/>\n</properties>\n</project>\n",
            &["module app", "variable app.lib.version"],
        ),
        ("xml", "<a name=\"n\"><properties><b>1</b></properties></a>\n", &["element n"]),
    ]);
}

#[test]
fn properties_in_a_macro_of_rust_are_functions() {
    check(&[(
        "rust",
        "proptest! {\n    #![proptest_config(few())]\n    #[test]\n    fn adds(a in 0..9, b in any::<i32>()) { f(a) }\n}\n",
        &["function adds"],
    )]);
}

#[test]
fn a_friend_of_a_class_is_a_function() {
    check(&[(
        "cpp",
        "class W {\n  friend bool equal(const W &a, const W &b) { return true; }\n  friend void swap(W &a, W &b);\n  int m();\n};\n",
        &["class W", "function W::equal", "function W::swap", "method W::m"],
    )]);
}

//! What a name without a qualifier means in modules, tables, objects and types of each language, as
//! `refs --callers` shows it.
//!
//! Longer than 600 lines because each expected row says in words why it was found.

use crate::harness::Repo;

/// Returns the lines that `refs --callers` prints for a symbol, without the heading of the list.
fn callers(repo: &Repo, symbol: &str) -> Vec<String> {
    let report = repo.try_cora(&["refs", symbol, "--callers"]);
    let lines = report.out.lines().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty() && line != "called or referred to by").collect()
}

/// Commits some files.
fn repo(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("sources");
    repo
}

#[test]
fn a_module_inside_a_file_sees_its_own_names() {
    let repo = repo(&[
        (
            "src/lib.rs",
            "pub mod codec {\n    pub fn encode() -> u32 { scramble() }\n    fn scramble() -> u32 { 1 }\n}\nmod other {\n    fn scramble() -> u32 { 2 }\n    pub fn go() -> u32 { scramble() }\n}\n\
             mod tests {\n    fn helper() -> u32 { 1 }\n    #[test]\n    fn t() { helper(); [1].map(twice); }\n    fn twice(n: u32) -> u32 { n }\n}\nfn outside() { scramble() }\n",
        ),
        (
            "n.ts",
            "namespace N {\n  function grow() { return 1 }\n  export function f() { return grow() }\n}\nnamespace P {\n  function grow() { return 2 }\n  export function f() { return grow() }\n}\n",
        ),
    ]);
    assert_eq!(
        callers(&repo, "scramble"),
        [
            "src/lib.rs:3: function codec::scramble",
            "src/lib.rs:2: in function codec::encode  (call, found in the same file)",
            "src/lib.rs:6: function other::scramble",
            "src/lib.rs:7: in function other::go  (call, found in the same file)",
        ]
    );
    assert_eq!(
        callers(&repo, "helper")[1..],
        ["src/lib.rs:12: in function tests::t  (call, found in the same file)"]
    );
    assert_eq!(
        callers(&repo, "twice")[1..],
        ["src/lib.rs:12: in function tests::t  (use, found in the same file)"]
    );
    assert_eq!(
        callers(&repo, "grow"),
        [
            "n.ts:2: function N.grow",
            "n.ts:3: in function N.f  (call, found in the same file)",
            "n.ts:6: function P.grow",
            "n.ts:7: in function P.f  (call, found in the same file)",
        ]
    );
}

#[test]
fn members_that_are_assigned_to_an_object_have_callers() {
    let repo = repo(&[
        (
            "lib/app.js",
            "var it = exports = module.exports = {};\nit.use = function use(fn) {\n  this.fill(fn);\n};\nit.fill = function fill(x) {};\n",
        ),
        (
            "lib/other.js",
            "function Other() {}\nOther.prototype = {\n  fill() {},\n};\nOther.prototype.go = function () {\n  this.fill();\n};\n",
        ),
        (
            "store.js",
            "export const useCart = define({\n  actions: {\n    drop() {},\n  },\n});\nexport const useShop = define({\n  actions: {\n    drop() {},\n  },\n});\n",
        ),
        (
            "main.js",
            "const app = require('./lib/app');\napp.use(1);\nfunction f(cart) {\n  cart.drop();\n}\n",
        ),
    ]);
    assert_eq!(
        callers(&repo, "it.use"),
        ["lib/app.js:2: method it.use", "main.js:2: in code outside declarations  (call, found by import)"]
    );
    assert_eq!(
        callers(&repo, "it.fill")[..2],
        [
            "lib/app.js:5: method it.fill",
            "lib/app.js:3: in method it.use  (call, a guess: no other declaration fits the name)"
        ]
    );
    assert_eq!(
        callers(&repo, "Other.fill")[..2],
        [
            "lib/other.js:3: method Other.fill",
            "lib/other.js:6: in method Other.go  (call, a guess: no other declaration fits the name)"
        ]
    );
    assert_eq!(
        callers(&repo, "useCart.drop"),
        [
            "store.js:3: method useCart.actions.drop",
            "main.js:4: in function f  (call, a guess: the object is named like the type)",
        ]
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn modules_of_other_languages_see_their_own_names() {
    let repo = repo(&[
        ("m.ml", "module M = struct\n  let grow x = x + 1\n  let f y = grow y\nend\n"),
        ("a.jl", "module A\nfunction gain(x)\n    x + 1\nend\nf(y) = gain(y)\nend\n"),
        (
            "a.sol",
            "contract Base {\n    function _check(uint256 n) internal pure returns (uint256) { return n; }\n}\ncontract A is Base {\n    modifier only() { _; }\n    \
             function go(uint256 n) public only returns (uint256) { return _check(n) + _own(n); }\n    function _own(uint256 n) internal pure returns (uint256) { return n; }\n}\n",
        ),
    ]);
    assert_eq!(callers(&repo, "grow")[1..], ["m.ml:3: in function M.f  (call, found in the same file)"]);
    assert_eq!(callers(&repo, "gain")[1..], ["a.jl:5: in function A.f  (call, found in the same file)"]);
    assert_eq!(callers(&repo, "_own")[1..], ["a.sol:6: in method A.go  (call, found in the same type)"]);
    assert_eq!(callers(&repo, "_check")[1..], ["a.sol:6: in method A.go  (call, found in a supertype)"]);
    assert_eq!(callers(&repo, "only")[1..], ["a.sol:6: in method A.go  (call, found in the same type)"]);
}

#[test]
fn functions_of_erlang_differ_by_the_number_of_arguments() {
    let repo = repo(&[
        (
            "s.erl",
            "-module(s).\n-spec stop() -> ok.\nstop() -> stop(all).\n\n-spec stop(atom()) -> ok.\nstop(all) -> ok;\nstop(N) -> N.\n",
        ),
        ("t.erl", "-module(t).\nf() -> s:stop().\ng() -> fun s:stop/1.\n"),
    ]);
    assert_eq!(
        callers(&repo, "s:stop"),
        [
            "s.erl:2: function stop",
            "t.erl:2: in function f  (call, found by import)",
            "s.erl:5: function stop",
            "s.erl:3: in function stop  (call, found in the same file)",
            "t.erl:3: in function g  (call, found by import)",
        ]
    );
}

#[test]
fn templates_and_cells_are_referred_to_from_other_files() {
    let repo = repo(&[
        ("shop/_helpers.tpl", "{{- define \"shop.fullname\" -}}\nx\n{{- end }}\n"),
        ("shop/deployment.yaml", "metadata:\n  name: {{ include \"shop.fullname\" . }}\n"),
        (
            "report.Rmd",
            "# Load\n\n```{r}\nclean <- function(x) x\n```\n\n```r\nother <- function(x) x\n```\n",
        ),
        ("use.R", "y <- clean(2)\nz <- other(1)\n"),
        ("macros.sql", "{% macro cents(c) %}\n ({{ c }} / 100)\n{% endmacro %}\n"),
        ("orders.sql", "select {{ cents('a') }} from {{ ref('x') }}\n"),
    ]);
    let first = |symbol: &str| callers(&repo, symbol).into_iter().take(2).collect::<Vec<_>>();
    assert_eq!(
        first("shop.fullname"),
        [
            "shop/_helpers.tpl:1: function shop.fullname",
            "shop/deployment.yaml:2: in key metadata.name  (call, a guess: only the name matches)",
        ]
    );
    assert_eq!(
        first("clean"),
        [
            "report.Rmd:4: function clean",
            "use.R:1: in variable y  (call, the only declaration with this name)"
        ]
    );
    assert!(!repo.cora(&["list", "--path", "report.Rmd"]).out.contains("other"));
    if cfg!(feature = "lang-all") {
        assert_eq!(
            first("cents"),
            [
                "macros.sql:1: function cents",
                "orders.sql:1: in code outside declarations  (call, the only declaration with this name)"
            ]
        );
    }
}

#[cfg(feature = "lang-all")]
#[test]
fn functions_of_elixir_are_called_without_their_module() {
    let repo = repo(&[
        (
            "lib/web.ex",
            "defmodule App.Web do\n  import App.Conn\n  alias App.Conn, as: C\n  alias Other.Conn, as: O\n\n  @limit 20\n\n  def one(c), do: c |> halt() |> assign(:a, @limit)\n  \
             def one(c, limit), do: one(c) + limit\n  def two(conn), do: conn |> halt\n  def three(c), do: C.halt(c)\n  def four(c), do: O.halt(c)\n  def five(cs), do: Enum.map(cs, &halt/1)\n  \
             def six(c) when is_ready(c), do: helper(c)\n  defp helper(0), do: 0\n  defp helper(n) do\n    helper(n - 1)\n  end\n  def seven(c), do: App.Conn.halt(c)\nend\n",
        ),
        (
            "lib/plain.ex",
            "defmodule App.Plain do\n  import App.Conn, only: [assign: 3]\n  def run(c), do: assign(c, 1, 2)\n  def halt(c), do: c\n  def go(c), do: halt(c)\nend\n",
        ),
        (
            "src/x/connection.ex",
            "defmodule App.Conn do\n  @type t :: map\n  defguard is_ready(c) when is_map(c)\n  @spec halt(t()) :: t()\n  def halt(conn), do: conn\n  def assign(conn, key, value) do\n    \
             Map.put(conn, key, value)\n  end\nend\ndefmodule Other.Conn do\n  def halt(conn), do: conn\nend\n",
        ),
    ]);
    assert_eq!(
        callers(&repo, "App.Conn.halt"),
        [
            "src/x/connection.ex:5: function App.Conn.halt",
            "lib/web.ex:8: in function App.Web.one  (call, found by import)",
            "lib/web.ex:10: in function App.Web.two  (call, found by import)",
            "lib/web.ex:11: in function App.Web.three  (call, found by import)",
            "lib/web.ex:13: in function App.Web.five  (call, found by import)",
            "lib/web.ex:19: in function App.Web.seven  (call, found by its qualifier)",
        ]
    );
    assert_eq!(
        callers(&repo, "Other.Conn.halt")[1..2],
        ["lib/web.ex:12: in function App.Web.four  (call, found by import)"]
    );
    assert_eq!(
        callers(&repo, "App.Plain.halt")[1..2],
        ["lib/plain.ex:5: in function App.Plain.go  (call, found in the same file)"]
    );
    assert_eq!(
        callers(&repo, "assign")[1..],
        [
            "lib/plain.ex:3: in function App.Plain.run  (call, found by import)",
            "lib/web.ex:8: in function App.Web.one  (call, found by import)",
        ]
    );
    assert_eq!(
        callers(&repo, "limit")[1..],
        ["lib/web.ex:8: in function App.Web.one  (use, found in the same file)"]
    );
    assert_eq!(
        callers(&repo, "is_ready")[1..],
        ["lib/web.ex:14: in function App.Web.six  (call, found by import)"]
    );
    // The clauses of a function are one declaration; another number of parameters is another one.
    assert_eq!(
        callers(&repo, "helper"),
        [
            "lib/web.ex:15: function App.Web.helper",
            "lib/web.ex:14: in function App.Web.six  (call, found in the same file)"
        ]
    );
    assert_eq!(
        callers(&repo, "one"),
        [
            "lib/web.ex:8: function App.Web.one",
            "lib/web.ex:9: in function App.Web.one  (call, found in the same file)",
            "lib/web.ex:9: function App.Web.one",
            "none found",
        ]
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn a_module_of_lua_is_the_table_of_its_file() {
    let repo = repo(&[
        (
            "app/core/vers.lua",
            "local M = {}\nfunction M.compare(a, b) return a < b end\nfunction M.parse(s) return s end\nfunction M.both(a) return M.compare(a, M.parse(a)) end\nreturn M\n",
        ),
        ("app/vers.lua", "local M = {}\nfunction M.compare(a, b) return a > b end\nreturn M\n"),
        (
            "main.lua",
            "local vers = require(\"app.core.vers\")\nlocal v = require(\"app.vers\")\nlocal function first() return vers.compare(1, 2) end\nlocal function run() return v.compare(3, 4) end\nreturn run\n",
        ),
    ]);
    assert_eq!(
        callers(&repo, "compare"),
        [
            "app/core/vers.lua:2: function compare",
            "app/core/vers.lua:4: in function both  (call, found in the same file)",
            "main.lua:3: in function first  (call, found by import)",
            "app/vers.lua:2: function compare",
            "main.lua:4: in function run  (call, found by import)",
        ]
    );
    assert_eq!(
        callers(&repo, "parse")[1..],
        ["app/core/vers.lua:4: in function both  (call, found in the same file)"]
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn a_prototype_and_its_definition_share_their_callers() {
    let repo = repo(&[
        (
            "env.h",
            "class Env {\n public:\n  virtual int NewFile(int n) = 0;\n};\nclass Posix : public Env {\n public:\n  int NewFile(int n) override { return n; }\n};\n",
        ),
        (
            "table.h",
            "namespace db {\nclass Table {\n public:\n  static int Open(int n);\n};\nint Help(int n);\n}\n",
        ),
        (
            "table.cc",
            "#include \"table.h\"\nnamespace db {\nint Table::Open(int n) { return n; }\nint Help(int n) { return n; }\n}\n",
        ),
        ("one.h", "int twice(int n);\ninline int twice(int n) { return n * 2; }\n"),
        (
            "use.cc",
            "#include \"env.h\"\n#include \"table.h\"\n#include \"one.h\"\nint Use(Env* env) { return env->NewFile(1); }\nint Get() { return db::Table::Open(2); }\n\
             namespace db { int Near() { return Help(2); } }\nint Two() { return twice(3); }\n",
        ),
    ]);
    assert_eq!(
        callers(&repo, "env.h:3")[1..],
        ["use.cc:4: in function Use  (call, found by the object's type)"]
    );
    for place in ["table.h:4", "table.cc:3"] {
        assert_eq!(
            callers(&repo, place)[1..],
            ["use.cc:5: in function Get  (call, found by its qualifier)"],
            "{place}"
        );
    }
    for place in ["table.h:6", "table.cc:4"] {
        assert_eq!(
            callers(&repo, place)[1..],
            ["use.cc:6: in function db::Near  (call, found by import)"],
            "{place}"
        );
    }
    for place in ["one.h:1", "one.h:2"] {
        assert_eq!(
            callers(&repo, place)[1..],
            ["use.cc:7: in function Two  (call, found by import)"],
            "{place}"
        );
    }
}

#[test]
fn versions_of_a_function_of_c_share_their_callers() {
    let repo = repo(&[
        ("include/port.h", "int port_post(int n);\nint port_rss(void);\n"),
        (
            "unix/port.c",
            "#ifdef A\nint port_rss(void) { return 1; }\n#else\nint port_rss(void) { return 2; }\n#endif\nint port_post(int n) { return n; }\nint post_two(void) { return port_post(2); }\n",
        ),
        ("win/port.c", "int port_post(int n) { return -n; }\n"),
        ("use.c", "int show(void) { return port_rss(); }\nint send(void) { return port_post(1); }\n"),
    ]);
    let rss = callers(&repo, "port_rss");
    let show = |line: &&String| {
        line.starts_with(
            "use.c:1: in function show  (call, a guess: one of several declarations with this name)",
        )
    };
    assert_eq!(rss.iter().filter(|line| line.ends_with(": function port_rss")).count(), 3, "{rss:?}");
    assert_eq!(rss.iter().filter(show).count(), 1, "{rss:?}");
    // In one of the programs, the prototype may be that of the other one's function.
    let post = callers(&repo, "include/port.h:1");
    assert_eq!(
        post[1..],
        [
            "unix/port.c:7: in function post_two  (call, a guess: one of several declarations with this name)",
            "use.c:2: in function send  (call, a guess: one of several declarations with this name)",
        ]
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn types_of_c_sharp_have_extensions_attributes_and_parts() {
    let repo = repo(&[
        (
            "Ext.cs",
            "namespace Lib {\npublic interface IStore { int Count { get; } }\npublic static class Ext {\n  public static string Shout(this string s) => s + \"!\";\n  public static int Total(this IStore s) => s.Count;\n}\n}\n",
        ),
        (
            "Use.cs",
            "using Lib;\nnamespace App {\n[Mark]\npublic partial class Cart {\n  public string A() => \"x\".Shout();\n  public int B(IStore s) => s.Total();\n  public string C(string s) => s.Shout();\n  \
             public int D(FileStore f) => f.Total();\n  public int E() => Hidden(2);\n  public int F(int i) => i.Total();\n}\npublic class FileStore : IStore { public int Count => 1; }\npublic class MarkAttribute : System.Attribute {}\n\
             public record Point(int Left, int Top);\npublic class U { int G(Point p) => p.Left; }\n}\n",
        ),
        (
            "Sub/Cart.Part.cs",
            "namespace App {\npublic partial class Cart {\n  private int Hidden(int n) => n;\n}\n}\n",
        ),
    ]);
    assert_eq!(
        callers(&repo, "Shout")[1..],
        [
            "Use.cs:5: in method App.Cart.A  (call, a guess: the code nearby mentions the type)",
            "Use.cs:7: in method App.Cart.C  (call, a guess: the code nearby mentions the type)",
        ]
    );
    assert_eq!(
        callers(&repo, "Total")[1..],
        [
            "Use.cs:6: in method App.Cart.B  (call, found by the object's type)",
            "Use.cs:8: in method App.Cart.D  (call, found in a supertype)",
        ]
    );
    assert_eq!(
        callers(&repo, "MarkAttribute")[1..],
        ["Use.cs:3: in class App.Cart  (type, found in the same file)"]
    );
    assert_eq!(
        callers(&repo, "Hidden")[1..],
        ["Use.cs:9: in method App.Cart.E  (call, found in the same type)"]
    );
    assert_eq!(
        callers(&repo, "Left")[1..],
        ["Use.cs:15: in method App.U.G  (use, found by the object's type)"]
    );
}

#[test]
fn a_parameter_is_no_field() {
    let repo = repo(&[
        (
            "a.go",
            "package a\n\ntype Store struct {\n\tlimit int\n}\n\nfunc New(limit int) *Store { return &Store{limit: limit} }\n\nfunc use(limit int) int { return limit + 1 }\n\nfunc (s *Store) Get() int { return s.limit }\n",
        ),
        (
            "b.ts",
            "export class Page { width = 3; f() { return this.width } }\nexport function h(width: number) { return width }\nexport function k({ width }: Page) { return 1 }\n",
        ),
    ]);
    assert_eq!(
        callers(&repo, "limit")[1..],
        [
            "a.go:7: in function New  (use, found by its qualifier)",
            "a.go:11: in method Store.Get  (use, found in the same type)"
        ]
    );
    assert_eq!(
        callers(&repo, "width")[1..],
        [
            "b.ts:1: in method Page.f  (use, found in the same type)",
            "b.ts:3: in function k  (use, a guess: no other declaration fits the name)"
        ]
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn a_field_without_an_object_is_of_the_type_around() {
    let repo = repo(&[
        (
            "src/A.java",
            "class A {\n  private int retries = 3;\n  int get() { return retries; }\n  int other(int retries) { return retries; }\n  int self() { return this.retries; }\n}\n\
         class B {\n  int f(int retries) { return retries + 1; }\n  int g() { int retries = 2; return retries; }\n}\nclass D extends A { int h() { return retries; } }\n",
        ),
        (
            "b.kt",
            "class Store(val limit: Int) {\n  fun get() = limit\n  fun give() = other(limit = 3)\n  fun say() = \"\"\"\nthe limit of it\n\"\"\"\n}\nfun other(limit: Int) = limit\n",
        ),
    ]);
    assert_eq!(callers(&repo, "limit")[1..], ["b.kt:2: in method Store.get  (use, found in the same type)"]);
    assert_eq!(
        callers(&repo, "retries")[1..],
        [
            "src/A.java:3: in method A.get  (use, found in the same type)",
            "src/A.java:5: in method A.self  (use, found in the same type)",
            "src/A.java:11: in method D.h  (use, a guess: no other declaration fits the name)",
        ]
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn components_and_namespaces_are_found_by_their_names() {
    let repo = repo(&[
        ("util.ts", "export enum Color { Red, Blue }\n"),
        (
            "src/Button.vue",
            "<template><b/></template>\n<script>\nexport default { methods: { toggle() { this.reset() }, reset() { return 1 } } }\n</script>\n",
        ),
        (
            "src/App.vue",
            "<template><Button/></template>\n<script setup lang=\"ts\">\nimport Button from './Button.vue'\nimport { Color } from '../util'\nconst c = Color.Red\n</script>\n",
        ),
        (
            "src/Cart.vue",
            "<template><b @click=\"saveCart\">{{ cartTotal + nItems }}</b></template>\n<script>\nexport default {\n  data() { return { nItems: 1 } },\n  computed: { cartTotal: () => 2 },\n  methods: {\n    saveCart() { return this.nItems },\n  },\n}\n</script>\n",
        ),
        (
            "src/a.php",
            "<?php\nnamespace Acme;\nfunction drop() { return 1; }\nfunction pick() { return 2; }\n",
        ),
        (
            "src/b.php",
            "<?php\nnamespace Shop;\nuse Acme;\nfunction go() { return \\Acme\\drop() + Acme\\pick(); }\n",
        ),
    ]);
    assert!(callers(&repo, "Color.Red").iter().any(|line| line.starts_with("src/App.vue:5:")));
    assert_eq!(
        callers(&repo, "reset")[1..],
        ["src/Button.vue:3: in method toggle  (call, found in the same file)"]
    );
    for name in ["saveCart", "cartTotal", "nItems"] {
        let of_template = callers(&repo, name);
        assert!(of_template[1].starts_with("src/Cart.vue:1:"), "{of_template:?}");
        assert!(of_template[1].ends_with("(use, found in the same file)"), "{of_template:?}");
    }
    assert_eq!(
        callers(&repo, "nItems")[2..],
        ["src/Cart.vue:7: in method saveCart  (use, found in the same file)"]
    );
    let of_button = callers(&repo, "Button");
    assert!(of_button.iter().any(|line| line.starts_with("src/App.vue:1:")), "{of_button:?}");
    assert!(of_button.iter().all(|line| !line.contains('?')), "{of_button:?}");
    repo.cora(&["explain", "src/Button.vue"]).prints("Used by");
    for name in ["drop", "pick"] {
        assert_eq!(
            callers(&repo, name)[1..],
            ["src/b.php:4: in function go  (call, found by its qualifier)"],
            "{name}"
        );
    }
}

#[cfg(feature = "lang-all")]
#[test]
fn a_class_of_scala_and_its_companion_have_callers_of_their_own() {
    let repo = repo(&[
        (
            "lib/src/Path.scala",
            "package lib\nclass Path(val s: String) {\n  def up: Path = this\n}\nobject Path {\n  def parse(s: String) = 1\n  def apply(s: String) = 2\n}\n",
        ),
        (
            "app/Use.scala",
            "package app\nimport lib.Path\nclass U {\n  def f(p: Path) = 1\n  def g = Path(\"y\")\n  def h = new Path(\"z\")\n  def i = Path.parse(\"x\")\n}\n",
        ),
    ]);
    assert_eq!(
        callers(&repo, "lib/src/Path.scala:2")[1..],
        [
            "app/Use.scala:6: in method U.h  (call, found by import)",
            "app/Use.scala:4: in method U.f  (type, found by import)",
        ]
    );
    let of_object = callers(&repo, "lib/src/Path.scala:5");
    let places: Vec<&str> = of_object[1..].iter().filter_map(|row| row.split("  ").next()).collect();
    assert_eq!(places, ["app/Use.scala:5: in method U.g", "app/Use.scala:7: in method U.i"]);
}

#[cfg(feature = "lang-all")]
#[test]
fn a_library_of_dart_hands_on_what_it_exports() {
    let repo = repo(&[
        ("pubspec.yaml", "name: box\n"),
        ("lib/box.dart", "export 'src/y.dart';\n"),
        (
            "lib/src/y.dart",
            "int helper(int n) => n;\nclass Base { int grow(int n) => n; }\nclass Counter extends Base {\n  void inc() {}\n  void emit(int n) {}\n}\n",
        ),
        ("lib/other/src/y.dart", "int helper(int n) => n;\n"),
        (
            "bin/main.dart",
            "import 'package:box/box.dart';\nimport 'package:box/box.dart' as bk;\nvoid main() { helper(1); }\nvoid named() { bk.helper(2); }\nvoid all() { Counter()..inc()..emit(4); }\nvoid more() { final c = Counter(); c.grow(2); }\n",
        ),
        ("bin/far.dart", "import 'package:http/box.dart';\nvoid far() { helper(1); }\n"),
    ]);
    assert_eq!(
        callers(&repo, "lib/src/y.dart:helper")[1..3],
        [
            "bin/main.dart:3: in function main  (call, found by import)",
            "bin/main.dart:4: in function named  (call, found by import)"
        ]
    );
    for (name, row) in [
        ("inc", "bin/main.dart:5: in function all  (call, found by the object's type)"),
        ("emit", "bin/main.dart:5: in function all  (call, found by the object's type)"),
        ("grow", "bin/main.dart:6: in function more  (call, found in a supertype)"),
    ] {
        assert_eq!(callers(&repo, name)[1..], [row], "{name}");
    }
}

#[cfg(feature = "lang-all")]
#[test]
fn an_expected_class_of_kotlin_is_the_one_of_each_platform() {
    let repo = repo(&[
        ("common/a/Buffer.kt", "package a\nexpect class Buffer {\n  fun read(): Int\n}\n"),
        ("common/a/x/Ext.kt", "package a.x\nimport a.Buffer\ninternal fun Buffer.close2() { read() }\n"),
        (
            "jvm/a/Buffer.kt",
            "package a\nimport a.x.close2\nactual class Buffer {\n  actual fun read(): Int = 1\n  fun end() { close2() }\n}\n",
        ),
        ("common/a/Use.kt", "package a\nimport a.x.close2\nfun use(b: Buffer) { b.close2() }\n"),
    ]);
    let rows = callers(&repo, "close2");
    assert!(rows[1..].iter().any(|row| row.starts_with("common/a/Use.kt:3: in function use")), "{rows:?}");
    assert!(
        rows[1..].iter().any(|row| row.starts_with("jvm/a/Buffer.kt:5: in method Buffer.end")),
        "{rows:?}"
    );
}

#[test]
fn a_class_of_ruby_may_make_its_objects_itself() {
    let repo = repo(&[
        (
            "lib/far.rb",
            "module Far\n  class << self\n    def new(u = nil)\n      Conn.new(u)\n    end\n  end\n  class Conn\n    def initialize(u)\n      @u = u\n    end\n  end\nend\n",
        ),
        ("lib/use.rb", "require 'far'\ndef go\n  Far.new('x')\nend\ndef near\n  Far::Conn.new('y')\nend\n"),
    ]);
    let rows = callers(&repo, "lib/far.rb:3");
    assert!(
        rows[1..].iter().any(|row| row == "lib/use.rb:3: in function go  (call, found by its full name)"),
        "{rows:?}"
    );
    assert_eq!(
        callers(&repo, "initialize")[1..],
        [
            "lib/far.rb:4: in method Far::new  (call, found by its full name)",
            "lib/use.rb:6: in function near  (call, found by its full name)",
        ]
    );
}

#[test]
fn documents_follow_code() {
    let repo = repo(&[
        ("src/lib.rs", "pub fn open_store() -> u32 { 1 }\npub fn run() -> u32 { open_store() }\n"),
        ("docs/a.md", "# open_store\n\nCall it so:\n\n```rust\nfn main() { open_store(); }\n```\n"),
    ]);
    let rows = callers(&repo, "open_store");
    assert_eq!(
        rows[..2],
        [
            "src/lib.rs:1: function open_store",
            "src/lib.rs:2: in function run  (call, found in the same file)"
        ]
    );
    assert!(!rows.iter().any(|row| row.contains("section open_store") && !row.contains('(')), "{rows:?}");
}

//! What refers to a declaration, by rules of single languages. A place is `path:line`, and a guess
//! ends with `?`.

use super::check_in;
use crate::answer::relations::Relation;
use crate::search::segment::samples::sized_sources;

/// Bytes of a chunk, as in an index.
const CHUNK: u32 = 1500;

fn check_relation(relation: Relation, files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sized_sources(files, CHUNK), files, relation, "?", expected);
}

fn check(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_relation(Relation::Callers, files, expected);
}

#[test]
fn super_of_ruby_calls_the_method_of_the_supertype() {
    check(
        &[(
            "a.rb",
            "class A\n  def initialize(x)\n  end\n  def run\n  end\n  def other; end\nend\nclass B < A\n  def initialize\n    \
             super(1)\n  end\n  def run\n    [1].each { super }\n  end\n  def third\n    super.other\n  end\nend\n\
             class C < Outside\n  def run\n    super\n  end\nend\n",
        )],
        &[
            ("a.rb:2", &["a.rb:10"]),
            ("a.rb:4", &["a.rb:13"]),
            // It is called on what `super` returns.
            ("a.rb:6", &["a.rb:16?"]),
            ("a.rb:15", &[]),
        ],
    );
}

#[test]
fn new_without_a_class_constructs_the_class_around() {
    check(
        &[
            (
                "job.rb",
                "class Job\n  def self.call(*a) = new(*a).run\n  def self.make\n    new\n  end\n  class << self\n    def build\n      \
                 new(3)\n    end\n  end\n  def initialize(a)\n  end\n  def copy\n    self.class.new(1)\n  end\n  def bad\n    \
                 new(1)\n  end\n  def run; end\n  module Inner\n    def self.f\n      new(1)\n    end\n  end\nend\n",
            ),
            (
                "Cart.php",
                "<?php\nclass Cart {\n  public function __construct(int $a) {}\n  public static function make() { return new static(1); }\n  \
                 public static function two() { return new self(2); }\n}\nclass Child extends Cart {\n  \
                 public function __construct() { parent::__construct(1); }\n  \
                 public static function three() { return new parent(2); }\n}\n",
            ),
        ],
        &[
            ("job.rb:11", &["job.rb:14", "job.rb:2", "job.rb:4", "job.rb:8"]),
            ("Cart.php:3", &["Cart.php:4", "Cart.php:5", "Cart.php:8", "Cart.php:9"]),
            ("Cart.php:8", &[]),
        ],
    );
}

#[test]
fn a_class_without_a_name_inherits_in_the_function_around_it() {
    check_relation(
        Relation::Implementers,
        &[(
            "a.php",
            "<?php\ninterface Xa {}\nclass Named implements Xa {}\nfunction f() {\n  return new class extends Xa {};\n}\n\
             function g() {\n  return new class(1) implements Xa { public function h() {} };\n}\n",
        )],
        &[("a.php:2", &["a.php:3", "a.php:5", "a.php:8"])],
    );
}

#[test]
fn methods_of_a_ruby_module_are_called_without_an_object() {
    check(
        &[
            (
                "fact.rb",
                "module Fact\n  def self.make(x)\n  end\n  def self.a\n    make(1)\n  end\n  def self.b\n    self.make(2)\n  end\n  \
                 def self.c\n    [1].each do |i|\n      make(i)\n    end\n  end\n  class << self\n    def d\n      make(3)\n    end\n  end\nend\n",
            ),
            (
                "m.rb",
                "module M\n  def self.build\n    helper(1)\n  end\n  def self.helper(x)\n  end\nend\nclass K\n  def self.helper(x)\n  end\n  \
                 def self.run\n    helper(2)\n  end\nend\n",
            ),
            (
                "mixin.rb",
                "module Mixin\n  def odie\n  end\nend\nclass A\n  include Mixin\n  def self.g\n    odie\n  end\n  def h\n    odie\n  end\nend\n\
                 class B\n  extend Mixin\n  def self.g\n    odie\n  end\n  def h\n    odie\n  end\nend\n",
            ),
            (
                "outer.rb",
                "class Shop\n  def self.help\n  end\n  class Cart\n    def self.run\n      help\n    end\n  end\nend\n",
            ),
        ],
        &[
            ("fact.rb:2", &["fact.rb:12", "fact.rb:17", "fact.rb:5", "fact.rb:8"]),
            ("m.rb:5", &["m.rb:3"]),
            ("m.rb:9", &["m.rb:12"]),
            ("mixin.rb:2", &["mixin.rb:11", "mixin.rb:17", "mixin.rb:20?", "mixin.rb:8?"]),
            // A class sees no methods of the one around it.
            ("outer.rb:2", &["outer.rb:6?"]),
        ],
    );
}

#[test]
fn a_method_of_ruby_that_is_passed_on_is_called() {
    check(
        &[(
            "total.rb",
            "class Item\n  def total\n  end\nend\nclass Cart\n  def add(x)\n  end\n  def sum(list)\n    list.map(&:total)\n  end\n  \
             def go\n    [1].each(&method(:add))\n  end\nend\n",
        )],
        &[("total.rb:2", &["total.rb:9?"]), ("total.rb:6", &["total.rb:12"])],
    );
}

#[test]
fn constructors_of_dart_are_called_by_their_own_names() {
    check(
        &[
            (
                "lib/user.dart",
                "class User {\n  User();\n  User.fromJson(Map m);\n  static User of(int a) => User();\n}\nUser make() => User();\n\
                 User two(Map m) => User.fromJson(m);\n",
            ),
            (
                "lib/base.dart",
                "class Base { final int s;\n  Base(this.s);\n  Base.fromJson(Map m) : s = 1; }\nclass C extends Base {\n  C() : super(0);\n  \
                 C.fromJson(Map m) : super.fromJson(m);\n  factory C.r(Map m) = C.fromJson;\n}\nclass D extends Base {\n  D({required super.s});\n}\n\
                 class E extends Base {\n  E() : this.named(1);\n  E.named(int a) : super(a);\n}\n",
            ),
        ],
        &[
            ("lib/user.dart:2", &["lib/user.dart:4", "lib/user.dart:6"]),
            ("lib/user.dart:3", &["lib/user.dart:7"]),
            ("lib/base.dart:2", &["lib/base.dart:10", "lib/base.dart:14", "lib/base.dart:5"]),
            ("lib/base.dart:3", &["lib/base.dart:6"]),
            ("lib/base.dart:6", &["lib/base.dart:7"]),
            ("lib/base.dart:14", &["lib/base.dart:13"]),
        ],
    );
}

#[test]
fn what_dart_imports_or_inherits_is_used_by_its_name_alone() {
    check(
        &[
            (
                "lib/a.dart",
                "const kMax = 3;\nint helper(int a) => a;\nclass Base {\n  int get state => 1;\n  set level(int v) {}\n}\n",
            ),
            (
                "lib/b.dart",
                "import 'a.dart';\nint one() { return kMax; }\nint two() => helper(kMax);\nList three(List l) => l.map(helper).toList();\n\
                 int four(int kMax) => kMax;\nint five(List l) { for (var kMax in l) { print(kMax); } f(kMax: 1); return 1; }\n\
                 var six = [1].map((kMax) => kMax);\nclass C extends Base {\n  int a() => state + 1;\n  void c() { print(state); level = 3; }\n  \
                 int d(int state) => state;\n}\n",
            ),
        ],
        &[
            ("lib/a.dart:1", &["lib/b.dart:2", "lib/b.dart:3"]),
            ("lib/a.dart:2", &["lib/b.dart:3", "lib/b.dart:4"]),
            ("lib/a.dart:4", &["lib/b.dart:10", "lib/b.dart:9"]),
            ("lib/a.dart:5", &["lib/b.dart:10"]),
        ],
    );
}

#[test]
fn members_of_an_object_of_scala_are_imported() {
    check(
        &[
            (
                "src/shop/All.scala",
                "package shop\nobject Util {\n  def helper(x: Int) = x\n}\nobject Limits {\n  val MAX = 3\n}\nobject Box {\n  def apply(s: String) = s\n}\n",
            ),
            (
                "src/app/Main.scala",
                "package app\nimport shop.Util.helper\nimport shop.Limits.{MAX, OTHER}\nimport shop.Box\nclass Main {\n  def a = helper(1)\n  \
                 def b = MAX\n  def c = Box(\"x\")\n  def d = List(1).map(helper)\n}\n",
            ),
            ("src/app/All.scala", "package app\nimport shop.Util._\nclass All {\n  def a = helper(1)\n}\n"),
        ],
        &[
            (
                "src/shop/All.scala:3",
                &["src/app/All.scala:4", "src/app/Main.scala:6", "src/app/Main.scala:9"],
            ),
            ("src/shop/All.scala:6", &["src/app/Main.scala:7"]),
            ("src/shop/All.scala:9", &["src/app/Main.scala:8"]),
        ],
    );
}

#[test]
fn the_number_of_arguments_of_elixir_counts_keywords_once() {
    check(
        &[
            (
                "lib/query.ex",
                "defmodule Ecto.Query do\n  defmacro from(expr, kw \\\\ []) do\n    from(1, 2, 3, 4, 5)\n  end\n\n  \
                 defp from(a, b, c, d, e) do\n    a\n  end\n\n  def run(q) do\n    q\n  end\n\n  def run(q, opts) do\n    q\n  end\nend\n",
            ),
            (
                "lib/other.ex",
                "defmodule Other do\n  import Ecto.Query\n  alias Ecto.Query, as: Q\n\n  def a(q) do\n    \
                 from(x in q, where: 1, limit: 2, order_by: 3, select: x)\n  end\n\n  def b(q) do\n    \
                 from x in q, where: 1, limit: 2, order_by: 3, select: x\n  end\n\n  def c(q) do\n    Q.run(q, x: 1, y: 2)\n  end\n\n  \
                 def d(q) do\n    Q.run(q)\n  end\n\n  def e(q) do\n    from(1, 2, 3, 4, q)\n  end\nend\n",
            ),
        ],
        &[
            ("lib/query.ex:2", &["lib/other.ex:10", "lib/other.ex:6"]),
            ("lib/query.ex:6", &["lib/query.ex:3"]),
            ("lib/query.ex:10", &["lib/other.ex:18"]),
            ("lib/query.ex:14", &["lib/other.ex:14"]),
        ],
    );
}

#[test]
fn a_module_of_elixir_gives_names_to_those_that_use_it() {
    let files: &[(&str, &str)] = &[
        (
            "lib/sch.ex",
            "defmodule Lib.Sch do\n  defmacro __using__(_) do\n    quote do\n      import Lib.Sch, only: [field: 2]\n    end\n  end\n\n  \
             defmacro field(a, b) do\n    a\n  end\nend\n",
        ),
        ("lib/u.ex", "defmodule U do\n  use Lib.Sch\n  field :n, :s\nend\n"),
        ("lib/v.ex", "defmodule V do\n  alias Lib.Sch\n  use Sch\n  field(:n, :s)\nend\n"),
        ("lib/w.ex", "defmodule W do\n  import Other\n  field(:n, :s)\nend\n"),
        ("lib/util.ex", "defmodule Shop.Util do\n  def len(c), do: c\n  def two(c, d), do: c\nend\n"),
        (
            "lib/cart.ex",
            "defmodule Shop.Cart do\n  alias Shop.Util\n  defdelegate len(c), to: Shop.Util\n  defdelegate other(c, d), to: Util, as: :two\nend\n",
        ),
        (
            "lib/queryable.ex",
            "defprotocol Ecto.Queryable do\n  def to_query(data)\nend\n\ndefimpl Ecto.Queryable, for: Atom do\n  def to_query(a), do: a\nend\n",
        ),
    ];
    check(
        files,
        &[
            ("lib/sch.ex:8", &["lib/u.ex:3", "lib/v.ex:4"]),
            ("lib/util.ex:2", &["lib/cart.ex:3"]),
            ("lib/util.ex:3", &["lib/cart.ex:4"]),
        ],
    );
    check_relation(Relation::Implementers, files, &[("lib/queryable.ex:1", &["lib/queryable.ex:5"])]);
}

#[test]
fn constructors_of_cpp_are_called_in_declarations() {
    check(
        &[
            (
                "cart.h",
                "namespace shop {\nclass Cart {\n public:\n  explicit Cart(int n);\n  int n_;\n};\n}\n",
            ),
            ("cart.cc", "#include \"cart.h\"\nnamespace shop {\nCart::Cart(int n) : n_(n) {}\n}\n"),
            (
                "use.cc",
                "#include \"cart.h\"\nusing shop::Cart;\nvoid a() { Cart c(1); }\nvoid b() { Cart c{1}; }\nvoid b2() { shop::Cart c(2); }\n\
                 auto d() { return std::make_unique<Cart>(1); }\nstruct Holder {\n  Holder() : c_(1) {}\n  Cart c_;\n};\n\
                 void e(int n) { Cart c(n); }\nvoid e2() { auto c = Cart{1}; }\nCart f(int a);\nvoid g(Cart& c) { Cart *p; }\n",
            ),
            (
                "two.cc",
                "struct Two {\n  Two(int a);\n  Two(int a, int b);\n};\nvoid a(int n) { Two one(n); }\nvoid b(int n, int m) { Two two(n, m); }\n\
                 void c() { auto x = std::make_unique<Two>(1, 2); }\n",
            ),
        ],
        &[
            (
                "cart.h:4",
                &["use.cc:11", "use.cc:12", "use.cc:3", "use.cc:4", "use.cc:5", "use.cc:6", "use.cc:8"],
            ),
            (
                "cart.cc:3",
                &["use.cc:11", "use.cc:12", "use.cc:3", "use.cc:4", "use.cc:5", "use.cc:6", "use.cc:8"],
            ),
            ("two.cc:2", &["two.cc:5"]),
            ("two.cc:3", &["two.cc:6", "two.cc:7"]),
        ],
    );
}

#[test]
fn a_namespace_of_cpp_may_have_another_name() {
    check(
        &[
            ("sh.h", "namespace shop {\nconst int kMax = 3;\nint fun(int a);\n}\n"),
            (
                "sh.cc",
                "#include \"sh.h\"\nnamespace sh = shop;\nint a() { return sh::kMax; }\nint b() { return sh::fun(1); }\n",
            ),
        ],
        &[("sh.h:2", &["sh.cc:3"]), ("sh.h:3", &["sh.cc:4"])],
    );
}

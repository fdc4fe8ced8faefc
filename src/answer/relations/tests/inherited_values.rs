//! Constants and fields of other files that are named without their type: inherited ones, those of
//! another part of the type, and those that an import of a type brings in.

use super::{Relation, check_in, sources};

/// Checks the callers of declarations at places; a guess ends with ` ?`.
fn callers(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, Relation::Callers, " ?", expected);
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn values_of_c_sharp_by_their_bare_names() {
    let limits = "namespace Shop;
public static class Limits {
  public const int Max = 3;
  public static readonly int Top = 4;
}
";
    let base = "namespace Shop;
public class Base {
  protected const int Cap = 3;
  protected int Size { get; set; }
}
";
    let heir = "namespace Shop;
class Heir : Base {
  int A() { return Cap; }
  int B() { return Size; }
  int C(int Cap) { return Cap; }
  int D() { return Limits.Max; }
}
class Other {
  int Cap() { return 1; }
  int E(int count) { return count; }
}
";
    let using = "using static Shop.Limits;
namespace App;
class Using {
  int A() { return Max; }
  int B(int x = Max) { return x + Top; }
  int C(int Max) { return Max; }
}
";
    let files = [
        ("Limits.cs", limits),
        ("Base.cs", base),
        ("Heir.cs", heir),
        ("Using.cs", using),
        (
            "Part1.cs",
            "namespace Shop;\npartial class Order {\n  const int Rate = 2;\n  static readonly int Seen = 3;\n}\n",
        ),
        (
            "Part2.cs",
            "namespace Shop;\npartial class Order {\n  int A() { return Rate; }\n  int B() { return Seen; }\n}\n",
        ),
        ("Else.cs", "namespace Bank;\nclass Else {\n  const int Cap = 1;\n  int A() { return Cap; }\n}\n"),
    ];
    callers(
        &files,
        &[
            ("Limits.cs:3", &["Heir.cs:6", "Using.cs:4", "Using.cs:5"]),
            ("Limits.cs:4", &["Using.cs:5"]),
            ("Base.cs:3", &["Heir.cs:3"]),
            ("Base.cs:4", &["Heir.cs:4"]),
            ("Part1.cs:3", &["Part2.cs:3"]),
            ("Part1.cs:4", &["Part2.cs:4"]),
            ("Else.cs:3", &["Else.cs:4"]),
        ],
    );
}

#[test]
fn constants_of_java_that_are_inherited() {
    let base = "package shop;
public class Base {
  protected static final int CAP = 3;
  protected static final Log log = new Log();
}
";
    let heir = "package shop;
class Heir extends Base {
  int a() { return CAP; }
  void b() { use(log); }
  void c(Log log) { use(log); }
}
class Other {
  void d() { Log log = make(); use(log); }
}
";
    let files = [("shop/Base.java", base), ("shop/Heir.java", heir)];
    callers(
        &files,
        &[("shop/Base.java:3", &["shop/Heir.java:3"]), ("shop/Base.java:4", &["shop/Heir.java:4"])],
    );
}

#[test]
fn constants_of_ruby_that_are_inherited() {
    let base = "class Base\n  CAP = 3\nend\n";
    let limits = "module Limits\n  TOP = 3\nend\n";
    let heir = "class Heir < Base
  include Limits
  def a; CAP; end
  def b; TOP + 1; end
end
";
    let other = "class Other
  def a; CAP; end
  def b; Heir::CAP; end
end
";
    let files = [("base.rb", base), ("limits.rb", limits), ("heir.rb", heir), ("other.rb", other)];
    callers(&files, &[("base.rb:2", &["heir.rb:3", "other.rb:3"]), ("limits.rb:2", &["heir.rb:4"])]);
}

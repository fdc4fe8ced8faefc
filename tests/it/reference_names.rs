//! Names as people write them for `refs`, and members that are named without their type.

use crate::harness::Repo;

/// Returns the declarations that a symbol means, with the callers of each: path, line and evidence.
fn callers(repo: &Repo, symbol: &str) -> Vec<String> {
    let report = repo.try_cora(&["refs", "--json", "--callers", symbol]).json();
    let mut found = Vec::new();
    for symbol in report["symbols"].as_array().cloned().unwrap_or_default() {
        let place = &symbol["callers"]["items"];
        let callers = place.as_array().cloned().unwrap_or_default();
        let callers = callers.iter().map(|one| {
            let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
            format!("{}:{} {}", text("path"), one["at"], text("how"))
        });
        let callers: Vec<String> = callers.collect();
        found.push(format!("{}: {}", symbol["line"], callers.join(", ")));
    }
    found
}

#[test]
fn the_number_of_parameters_is_a_part_of_a_name() {
    let repo = Repo::new();
    repo.write(
        "lib/cart.ex",
        "defmodule Shop.Cart do\n  def add(a), do: a\n\n  def add(a, b), do: a\nend\n\ndefmodule Shop.Item do\n  def name(a), do: a\nend\n",
    );
    repo.write(
        "lib/use.ex",
        "defmodule Use do\n  alias Shop.Cart\n\n  def one(a), do: Cart.add(a)\n\n  def two(a), do: Cart.add(a, b: 1, c: 2)\nend\n",
    );
    repo.commit("a cart");
    assert_eq!(callers(&repo, "Shop.Cart.add/1"), ["2: lib/use.ex:4 import"]);
    assert_eq!(callers(&repo, "Shop.Cart.add/2"), ["4: lib/use.ex:6 import"]);
    assert!(callers(&repo, "Shop.Cart.add/3").is_empty());
    let found = |text: &str| repo.cora(&["query", "--format", "paths", text]).out;
    assert!(
        found("what calls Shop.Cart.add/2").contains("lib/use.ex:6"),
        "{}",
        found("what calls Shop.Cart.add/2")
    );
    assert!(!found("what calls Shop.Cart.add/2").contains("lib/use.ex:4"));
    // The file is called like another module.
    assert!(callers(&repo, "Shop.Cart.name").is_empty());
    assert_eq!(callers(&repo, "Shop.Item.name").len(), 1);
}

#[test]
fn a_note_names_a_qualifier_that_no_source_has() {
    let repo = Repo::new();
    repo.write("cart.py", "class Cart:\n    def add(self):\n        return 1\n");
    repo.commit("a cart");
    let note = "note: no source has the name 'Bogus'; showing 'Cart.add'\n";
    assert_eq!(repo.cora(&["refs", "Bogus.Cart.add"]).err, note);
    assert_eq!(repo.cora(&["refs", "Cart.add"]).err, "");
    assert_eq!(repo.cora(&["refs", "cart.py:Cart.add"]).err, "");
}

#[test]
fn a_setter_of_ruby_may_be_an_attribute() {
    let repo = Repo::new();
    repo.write(
        "svc.rb",
        "class Svc\n  attr_accessor :name\n  def go\n    self.name = 1\n  end\n  def limit=(n)\n  end\nend\n",
    );
    repo.commit("a service");
    assert_eq!(callers(&repo, "Svc#name="), ["2: svc.rb:4 same type"]);
    assert_eq!(callers(&repo, "Svc#limit="), ["6: "]);
}

#[test]
fn an_enumerator_is_known_where_its_header_is_included() {
    let repo = Repo::new();
    repo.write("a.h", "enum op { kLit, kNum };\nstruct Widget { enum State { Start }; void run(); };\nnamespace ns { enum Color { RED }; void paint(); }\nenum class level { info, warn };\n");
    repo.write(
        "a.cc",
        "#include \"a.h\"\nint f(op o) { switch (o) { case kLit: return 1; } return 0; }\nint g(int kLit) { return kLit; }\n\
         void Widget::run() { int a = Start; }\nvoid other() { int b = Start; }\nint h() { return ns::RED; }\nnamespace ns { int p() { return RED; } }\n\
         void l() { warn(1); auto x = level::warn; }\n",
    );
    repo.write("b.cc", "int f() { return kLit; }\n");
    repo.commit("enumerations");
    assert_eq!(callers(&repo, "kLit"), ["1: a.cc:2 import, b.cc:1 only candidate"]);
    assert_eq!(callers(&repo, "Widget::Start"), ["2: a.cc:4 import, a.cc:5 only candidate"]);
    assert_eq!(callers(&repo, "ns::RED"), ["3: a.cc:6 qualifier, a.cc:7 import"]);
    assert_eq!(callers(&repo, "level::warn"), ["4: a.cc:8 qualifier"]);
}

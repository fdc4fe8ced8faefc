//! Constructors whose type is not written where they are called.

use super::{Relation, check_in, sources};

/// Checks the callers of declarations at places; a guess ends with ` ?`.
fn callers(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, Relation::Callers, " ?", expected);
}

#[test]
fn a_value_of_an_enumeration_is_constructed() {
    let coin =
        "enum Coin {\n  PENNY(1),\n  DIME(\"x\", 10);\n  Coin(int n) {}\n  Coin(String s, int n) {}\n}\n";
    let side = "enum Side {\n  LEFT, RIGHT(2);\n  Side() {}\n  Side(int n) {}\n}\n";
    callers(
        &[("Coin.java", coin), ("Side.java", side)],
        &[
            ("Coin.java:4", &["Coin.java:2"]),
            ("Coin.java:5", &["Coin.java:3"]),
            ("Side.java:4", &["Side.java:2"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn a_type_in_front_says_what_new_constructs() {
    let text = "class Cart {\n  public Cart(int n) { }\n  public Cart(string s, int n) { }\n\
                static Cart Make() => new(3);\n  private readonly Cart inner = new(\"x\", 4);\n\
                Cart? Open() {\n    Cart c = new(5);\n    return new(\"y\", 6);\n  }\n\
                static List<Cart> All { get; } = new(7);\n}\n";
    callers(
        &[("Cart.cs", text)],
        &[("Cart.cs:2", &["Cart.cs:4", "Cart.cs:7"]), ("Cart.cs:3", &["Cart.cs:5", "Cart.cs:8"])],
    );
}

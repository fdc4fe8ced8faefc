//! `git cora explain`: the content of a page, its links, and protection against hostile
//! repositories.

use serde_json::json;

use crate::harness::Repo;

fn shop() -> Repo {
    let repo = Repo::sample();
    repo.write("shop/money.py", "\"\"\"Sums of money.\n\nIn cents.\n\"\"\"\n\n\ndef total(cart):\n    \"\"\"Adds up a cart.\n\n    :param cart: what is in it\n    \"\"\"\n    return sum(cart)\n");
    repo.write(
        "shop/cart.py",
        "from .money import total\n\n\nclass Cart(list):\n    \"\"\"What somebody buys.\"\"\"\n\n    def pay(self):\n        \"\"\"Pays for all. At once.\"\"\"\n        return total(self)\n",
    );
    repo.write("shop/gift.py", "from .cart import Cart\n\n\nclass Gift(Cart):\n    pass\n");
    repo.write("doc/guide.md", "# Guide\n\nHow it works.\n\n## Set up: now\n\nSee [money](../shop/money.py), <https://example.org>.\n\n# Injected\n");
    repo.commit("a shop");
    repo
}

#[test]
fn a_page_about_a_declaration() {
    let repo = shop();
    let page = repo.cora(&["explain", "shop/cart.py:Cart"]);
    assert_eq!(
        page.out,
        format!(
            "# `shop/cart.py:Cart`\n\n\
             class · python · [`shop/cart.py:4-9`](shop/cart.py#L4-L9)\n\n\
             ```python\nclass Cart(list):\n```\n\n\
             What somebody buys.\n\n\
             ## Inside\n\n- [`pay`](shop/cart.py#L7-L9) method — Pays for all.\n\n\
             ## Inherited or implemented by\n\n\
             - [`Gift`](shop/gift.py#L4-L5) class in `shop/gift.py`, at [line 4](shop/gift.py#L4)\n\n\
             ## Calls\n\n\
             - [`total`](shop/money.py#L7-L12) function in `shop/money.py`, called at [line 9](shop/cart.py#L9)\n\n\
             ---\n\nAt {}.\n",
            &repo.rev("HEAD")[..12]
        )
    );
    assert_eq!(repo.cora(&["explain", "Cart.pay"]).out.lines().next(), Some("# `Cart.pay`"));
    let total = repo.cora(&["explain", "shop/money.py:7"]).out;
    assert!(total.contains("Adds up a cart.\n\n- :param cart: what is in it\n"), "{total}");
    assert!(
        total.contains("## Called or referred to by\n\n- [`Cart.pay`](shop/cart.py#L7-L9) method in"),
        "{total}"
    );
    // The page is the same from a subdirectory, at a revision, and from another cache.
    repo.drop_cached();
    let below = repo.below("shop");
    assert!(below.cora(&["explain", "cart.py:Cart"]).out.ends_with(page.out.split_once('\n').unwrap().1));
    let at = repo.cora(&["explain", "shop/cart.py:Cart", "--rev", "HEAD"]);
    assert_eq!(at.out, page.out);
}

#[test]
fn a_page_about_a_file() {
    let repo = shop();
    let page = repo.cora(&["explain", "shop/money.py"]).out;
    assert!(page.contains("Sums of money.\n\nIn cents.\n"), "{page}");
    assert!(page.contains("## Used by\n\n- [`shop/cart.py`](shop/cart.py): `total`\n"), "{page}");
    assert!(
        repo.cora(&["explain", "shop/cart.py"])
            .out
            .contains("## Uses\n\n- [`shop/money.py`](shop/money.py): `total`")
    );
    let guide = repo.cora(&["explain", "doc/guide.md"]).out;
    assert!(guide.contains("How it works.\n\n## Inside\n\n- [`Guide`]"), "{guide}");
    assert!(guide.contains("- [`shop/money.py`](shop/money.py)\n- <https://example.org>\n"), "{guide}");
    let section = repo.cora(&["explain", "doc/guide.md:Set up: now"]).out;
    assert!(section.starts_with("# `doc/guide.md:Set up: now`\n"), "{section}");
    assert!(section.contains("\nSee [money](../shop/money.py)"), "{section}");
}

#[test]
fn a_name_in_code_is_no_link_to_a_file() {
    let repo = Repo::new();
    repo.write("a.sh", "#!/bin/sh\nsetup\n");
    repo.write("setup", "#!/bin/sh\necho one\n");
    repo.write("a.md", "# A\n\nSee [how](a.sh).\n");
    repo.commit("first");
    for (path, is_link) in [("a.sh", false), ("a.md", true)] {
        let page = repo.cora(&["explain", path]).out;
        assert_eq!(page.contains("## Links to\n"), is_link, "{page}");
    }
}

#[test]
fn pages_as_json_within_budgets_and_with_permanent_links() {
    let repo = shop();
    let page = repo.cora(&["explain", "shop/cart.py:Cart", "--json"]).json();
    assert_eq!(page["commit"], repo.rev("HEAD"));
    let subject = &page["subjects"][0];
    assert_eq!(subject["doc"], "What somebody buys.\n");
    assert_eq!(
        (&subject["path"], &subject["start_line"], &subject["end_line"]),
        (&json!("shop/cart.py"), &json!(4), &json!(9))
    );
    assert_eq!(subject["members"][0]["summary"], "Pays for all.");
    assert_eq!(subject["related"][0]["items"][0]["symbol"], "Gift");
    let all = repo.cora(&["explain", "shop/cart.py:Cart"]).out;
    let most = all.chars().count() - 50;
    let less = repo.cora(&["explain", "shop/cart.py:Cart", "--length", &most.to_string()]).out;
    assert!(less.chars().count() <= most && less.contains("At "), "{less}");
    repo.try_cora(&["explain", "shop/cart.py:Cart", "--tokens", "5"])
        .exits(2)
        .says("the budget is too small for the heading");
    let page = |args: &[&str]| repo.try_cora(&[&["explain", "shop/cart.py:Cart"], args].concat());
    page(&["--permalinks"]).exits(2).says("error: the web host of 'origin' is not known");
    repo.git(&["remote", "add", "origin", "https://name:secret@github.com/a/shop.git"]);
    let link = format!("(https://github.com/a/shop/blob/{}/shop/cart.py#L4-L9)", repo.rev("HEAD"));
    page(&["--permalinks"]).exits(0).prints(&link);
    repo.write("shop/cart.py", "class Cart:\n    pass\n");
    let changed = page(&["--permalinks"]).out;
    assert!(
        changed.contains("(shop/cart.py#L1-L2)") && changed.contains("1 of the files above has"),
        "{changed}"
    );
}

#[test]
fn what_is_not_there_is_said() {
    let repo = shop();
    repo.try_cora(&["explain", "Crat"])
        .exits(1)
        .says("no file or declaration named 'Crat'")
        .says("did you mean 'Cart'?");
    repo.try_cora(&["explain", "shop/cart.py:pya"]).exits(1).says("did you mean 'pay'?");
    repo.try_cora(&["explain", "shop/carts.py"]).exits(1).says("did you mean 'shop/cart.py'?");
    repo.try_cora(&["explain", "shop"]).exits(1).says("'shop' is a directory");
    repo.try_cora(&["explain", "data.bin"]).exits(1).says("'data.bin' is not indexed: binary");
}

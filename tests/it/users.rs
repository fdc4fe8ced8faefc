//! Questions about what refers to something.

use crate::harness::Repo;

#[test]
fn who_asks_what_calls_a_function_gets_what_calls_it() {
    let repo = Repo::new();
    repo.write(
        "boxes.py",
        "def open_box(name):\n    \"\"\"Opens a box; what calls open_box closes it.\"\"\"\n    return name\n",
    );
    repo.write(
        "shop.py",
        "from boxes import open_box\n\ndef sell(goods):\n    for one in goods:\n        open_box(one)\n",
    );
    repo.write(
        "tests/test_boxes.py",
        "from boxes import open_box\n\ndef test_open():\n    assert open_box('a') == 'a'\n",
    );
    repo.write("other.py", "def call_box(box):\n    return box.calls\n");
    repo.commit("boxes");
    for text in ["what calls open_box", "where is open_box used?", "callers of `open_box`"] {
        let found = repo.found(&[text]);
        assert_eq!(found[0], "shop.py", "{text}");
        assert!(found.contains(&"tests/test_boxes.py".to_owned()), "{text}: {found:?}");
    }
    repo.cora(&["query", "--explain", "what calls open_box"]).prints("it refers to what is asked for");
    assert_eq!(repo.found(&["what is open_box"])[0], "boxes.py");
}

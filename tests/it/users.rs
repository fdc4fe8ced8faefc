//! Questions about the referrers of a symbol.

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
    repo.cora(&["query", "--explain", "what calls open_box"]).prints(
        "it refers to the symbol in \
    question",
    );
    assert_eq!(repo.found(&["what is open_box"])[0], "boxes.py");
}

#[test]
fn who_calls_something_is_called_by_the_name_of_what_calls_it() {
    let repo = Repo::new();
    repo.write("drop.py", "def drop_rights(uid):\n    return uid\n");
    let body = "    drop_rights(uid)\n    log = []\n\n    def after_change():\n        log.append('change')\n\n    return after_change\n";
    repo.write("run.py", format!("from drop import drop_rights\n\nX = 1\n\n\ndef detached(uid):\n{body}\n\ndef other(uid):\n    return uid\n"));
    repo.commit("rights");
    for text in ["who calls drop_rights", "where is drop_rights used"] {
        let first = &repo.results(&[text])[0];
        assert_eq!(
            (&first["path"], &first["symbol"]),
            (&"run.py".into(), &"detached".into()),
            "{text}: {first}"
        );
    }
}

#[test]
fn what_is_passed_on_or_read_refers_to_it() {
    let repo = Repo::new();
    repo.write(
        "auth.py",
        "LIMIT = 3\n\ndef login_required(view):\n    return view\n\n\ndef on_start(app):\n    # Not on_start.\n    return LIMIT\n",
    );
    repo.write(
        "app.py",
        "from auth import LIMIT, login_required, on_start\n\n@login_required\ndef index(request):\n    return request[:LIMIT]\n\n\n\
         def main(app):\n    app.add(on_start)\n",
    );
    repo.write("other.py", "import auth\n\ndef other(on_start, app):\n    return on_start, app.on_start\n");
    repo.commit("auth");
    let callers = |symbol: &str| repo.cora(&["refs", symbol, "--callers"]).out;
    assert_eq!(
        callers("login_required"),
        "auth.py:3: function login_required\n  called or referred to by\n    app.py:3: function index  (call: import)\n"
    );
    assert_eq!(
        callers("on_start"),
        "auth.py:7: function on_start\n  called or referred to by\n    app.py:9: function main  (use: import)\n  \
         1 file contains the name, but the reference could not be resolved:\n    other.py\n"
    );
    assert_eq!(
        callers("LIMIT"),
        "auth.py:1: constant LIMIT\n  called or referred to by\n    app.py:5: function index  (use: import)\n    \
         auth.py:9: function on_start  (use: same file)\n"
    );
    assert_eq!(repo.found(&["callers of on_start"])[0], "app.py");
}

#[test]
fn a_file_is_not_said_to_mention_what_it_declares() {
    let repo = Repo::new();
    let body: String =
        (0..40).map(|n| format!("    total += wood.side * {n} + wood.height({n});\n")).collect();
    repo.write(
        "boxes.rs",
        format!(
            "//! Boxes: owns [`open_box`], which opens them.\n\nuse std::fs;\n\n/// A box.\npub struct Wood {{\n    \
             pub side: u32,\n}}\n\n/// Opens a box.\npub fn open_box(wood: &Wood) -> u32 {{\n    let mut total = 0;\n\
             {body}    total\n}}\n"
        ),
    );
    repo.write("notes.txt", "Call open_box once.\n");
    repo.commit("boxes");
    assert_eq!(
        repo.cora(&["refs", "open_box", "--callers"]).out,
        "boxes.rs:11: function open_box\n  none found\n  \
         1 file contains the name, but the reference could not be resolved:\n    notes.txt\n"
    );
}

#[test]
fn a_name_that_is_nowhere_is_told() {
    let repo = Repo::sample();
    // Only the parts of the name occur, in other names.
    for question in ["what calls open_refresh", "openRefresh", "where is openRefresh"] {
        let run = repo.cora(&["query", question]).prints("lib/auth.py").prints("not in the index: ");
        let name = question.rsplit(' ').next().unwrap();
        assert!(run.out.contains(&format!("'{name}'")), "{}", run.out);
    }
    let run = repo.cora(&["query", "what calls refresh_token"]);
    assert!(!run.out.contains("'refresh_token'"), "{}", run.out);
}

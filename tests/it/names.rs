//! Labels of results: the declaration of a chunk that the answer names.

use serde_json::json;

use crate::harness::Repo;

#[test]
fn a_group_is_called_by_what_matches() {
    let repo = Repo::new();
    let text = "MAX_RETRIES = 3\n\n\ndef alpha():\n    return 1\n\n\ndef settle():\n    return ledger()\n\n\ndef omega():\n    return 2\n";
    repo.write("small.py", text);
    repo.write("other.py", "def other():\n    return 'none of it'\n");
    repo.commit("small");
    let first = |text: &str| repo.results(&["-k", "1", text]).remove(0);
    assert_eq!(first("\"MAX_RETRIES\"")["end_line"], 13, "one chunk");
    for (text, symbol, line) in [
        ("omega", "omega", 12),
        ("symbol:settle", "settle", 8),
        ("where is the ledger read", "settle", 8),
        ("MAX_RETRIES", "MAX_RETRIES", 1),
    ] {
        let found = first(text);
        assert_eq!((&found["symbol"], &found["symbol_line"]), (&json!(symbol), &json!(line)), "{text}");
        let place = format!("small.py:{line}: {symbol}\n");
        assert_eq!(repo.cora(&["query", "--format", "paths", "-k", "1", text]).out, place);
    }
    repo.cora(&["query", "--explain", "-k", "1", "symbol:settle"])
        .prints("definition")
        .prints("declares 'settle'");
}

#[test]
fn what_is_asked_for_names_a_chunk_that_begins_with_what_is_around_it() {
    let repo = Repo::new();
    repo.write(
        "lib/audit.rb",
        "module Audit\n  module Trail\n    def suppress(&block)\n      yield\n    end\n\n    def record!(event)\n      write(event)\n    end\n  end\nend\n",
    );
    repo.write(
        "lib/plain.rb",
        "module Audit\n  class Plain\n    def write(event)\n      puts event\n    end\n  end\nend\n",
    );
    repo.commit("audits");
    for (text, symbol, line) in [
        ("suppress", "Audit::Trail::suppress", 3),
        ("record!", "Audit::Trail::record!", 7),
        ("how is a block suppressed", "Audit::Trail", 2),
        ("where does plain auditing put events", "Audit::Plain", 2),
    ] {
        let found = repo.results(&["-k", "1", text]).remove(0);
        assert_eq!(
            (&found["symbol"], &found["symbol_line"]),
            (&json!(symbol), &json!(line)),
            "{text}: {found}"
        );
    }
    // The line of a stack frame decides which declaration is named.
    let found = repo.results(&["-k", "1", "lib/audit.rb:8:in `record!'"]).remove(0);
    assert_eq!((&found["symbol"], &found["named_lines"]), (&json!("Audit::Trail::record!"), &json!([8])));
}

#[test]
fn of_a_group_a_rare_word_says_which_is_meant() {
    let repo = Repo::new();
    for n in 0..8 {
        repo.write(
            &format!("common{n}.py"),
            format!("def common{n}(entry, value):\n    return entry + value\n"),
        );
    }
    repo.write(
        "small.py",
        "def alpha(entry, value):\n    return entry\n\n\ndef settle():\n    return ledger\n",
    );
    repo.commit("entries");
    let first = repo.results(&["-k", "1", "which entry and value does the ledger have"]).remove(0);
    assert_eq!((&first["path"], &first["end_line"]), (&json!("small.py"), &json!(6)), "one chunk");
    assert_eq!((&first["symbol"], &first["symbol_line"]), (&json!("settle"), &json!(5)));
}

#[test]
fn a_function_in_another_gives_its_name_to_no_chunk_that_both_begin_in() {
    let repo = Repo::new();
    let small = "def alpha():\n    return 1\n\n\ndef settle(day):\n    def entries():\n        return ledger(day)\n\n    return sum(entries())\n";
    repo.write("small.py", small);
    // The class is too large for one chunk. The first chunk begins with `annotate` but is mostly
    // `visit`.
    let steps: String = (0..40)
        .map(|n| format!("        if node.kind == 'kind{n}':\n            return handle_{n}(node, 'step')\n"))
        .collect();
    repo.write(
        "large.py",
        format!("def annotate(tree):\n    def visit(node):\n{steps}        return None\n\n    return [visit(node) for node in tree]\n"),
    );
    repo.commit("functions in functions");
    let issue = "The books do not balance\n\nSince the last release the ledger of a day is empty, so that all of its entries are gone.\nSee https://example.org/team/books/blob/main/small.py#L7 for where it is read.\n";
    let frame = "Traceback (most recent call last):\n  File \"small.py\", line 9, in settle\n  File \"small.py\", line 7, in entries\nKeyError: 'day'\n";
    for (text, symbol, line) in [
        ("where is the ledger read", "settle", Some(5)),
        ("entries", "settle.entries", Some(6)),
        (issue, "settle", Some(5)),
        (frame, "settle.entries", Some(6)),
        ("what is done with a node of kind0 or kind1 of the tree", "annotate", None),
    ] {
        let found = repo.results(&["-k", "1", text]).remove(0);
        assert_eq!(found["symbol"], json!(symbol), "{text}: {found}");
        assert_eq!(found.get("symbol_line"), line.map(|line| json!(line)).as_ref(), "{text}: {found}");
    }
}

#[test]
fn a_long_text_names_the_method_and_not_its_class() {
    let repo = Repo::new();
    let small = "class Ledger:\n    def total(self):\n        return sum(self.days)\n\n    def settle(self, day):\n        self.days[day] = balance(day)\n\n\nclass Other:\n    pass\n";
    repo.write("books.py", small);
    repo.write("plain.py", "def other():\n    return 'none of it'\n");
    repo.commit("books");
    let symbol = |text: &str| repo.results(&["-k", "1", text]).remove(0)["symbol"].clone();
    assert_eq!(symbol("what is a Ledger"), "Ledger");
    let issue = "Ledger forgets the balance of a day\n\nWhen a day is settled for the second time, its balance is overwritten by what was there before.\n\nExpected: the balance of that day stays as it is.\n";
    assert_eq!(symbol(issue), "Ledger.settle");
}

#[test]
fn a_function_in_statements_names_their_chunk() {
    let repo = Repo::new();
    repo.write(
        "locks.py",
        "import os\n\nif os.name == 'nt':\n    import msvcrt\n\n    print('locking by msvcrt')\n\n    def lock(handle):\n        return msvcrt.locking(handle, 1, 1)\n\nelse:\n    print('locking by fcntl')\n\n    def unlock(handle):\n        return None\n",
    );
    repo.commit("locks");
    let found = repo.results(&["-k", "1", "which handle does msvcrt locking take"]).remove(0);
    assert_eq!(found["symbol"], "lock", "{found}");
}

#[test]
fn a_title_is_found_as_it_is_printed() {
    let repo = Repo::new();
    repo.write(
        "docs/guide.md",
        "# Guide v1.2\n\nWords about it.\n\n## Node.js: set-up (quick)\n\nSee the code of the set-up.\n",
    );
    repo.commit("guide");
    let listed = repo.cora(&["list", "--json", "set-up"]).json();
    let symbol = listed["symbol"].as_str().unwrap();
    assert_eq!(symbol, "Guide v1.2 > Node.js: set-up (quick)");
    let place = format!("docs/guide.md:{symbol}");
    repo.cora(&["explain", &place]).prints("Node.js: set-up (quick)");
    repo.cora(&["explain", symbol]).prints("Node.js: set-up (quick)");
}

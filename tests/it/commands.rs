//! The other commands: `index`, `stats`, `list`, `show`, `verify`, `prune`, `doctor`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::Repo;

#[test]
fn of_methods_that_share_a_chunk_each_has_its_own_calls() {
    let repo = Repo::new();
    repo.write(
        "src/Form/PercentType.php",
        "<?php\nnamespace Shop\\Form;\n\nclass PercentType\n{\n    public function build()\n    {\n        return new Transformer();\n    }\n\n    public function defaults()\n    {\n        return ['scale' => 0];\n    }\n}\n",
    );
    // A class of the same namespace needs no import.
    repo.write(
        "src/Form/Transformer.php",
        "<?php\nnamespace Shop\\Form;\n\nclass Transformer\n{\n    public function turn()\n    {\n        return 'what comes in';\n    }\n}\n",
    );
    repo.write(
        "src/Other/Transformer.php",
        "<?php\nnamespace Shop\\Other;\n\nclass Transformer\n{\n    public function turn()\n    {\n        return 'what goes out';\n    }\n}\n",
    );
    repo.commit("forms");
    let callees = |symbol: &str| repo.cora(&["refs", symbol, "--callees"]).out;
    assert_eq!(
        callees("PercentType::build"),
        "src/Form/PercentType.php:6: method PercentType::build\n  calls or refers to\n    \
         src/Form/Transformer.php:4: class Transformer  (called at line 8, found in the same package)\n"
    );
    assert_eq!(
        callees("PercentType::defaults"),
        "src/Form/PercentType.php:11: method PercentType::defaults\n  none found\n"
    );
}

#[test]
fn init_says_what_it_did() {
    let repo = Repo::sample();
    repo.cora(&["init", "-n"]).says("hooks: would write post-commit").says("index: would index HEAD");
    repo.cora(&["init"]).says("hooks: wrote post-commit").says("indexed commit");
    repo.cora(&["init"]).says("hooks: already in").says("already indexed");
}

#[test]
fn index_says_what_it_did() {
    let repo = Repo::sample();
    let run = repo.cora(&["index", "--json"]);
    assert_eq!(run.err, "");
    let report = run.json();
    assert_eq!(report["commits"][0]["commit"], repo.rev("HEAD"));
    assert_eq!(report["commits"][0]["was_there"], false);
    assert_eq!(report["commits"][0]["index"], repo.rev(&format!("refs/cora/{}", repo.rev("HEAD"))));
    // Its own seven files, and the one that differs in its parent.
    assert_eq!((&report["files"], &report["skipped"]), (&json!(8), &json!(1)));
    assert!(report["objects"].as_u64().unwrap() > 9);
    repo.cora(&["index"]).says("already indexed");
    assert_eq!(repo.cora(&["index", "-q"]).err, "");
    repo.try_cora(&["index", "nowhere"]).exits(2).says("unknown revision 'nowhere'").says("hint:");
    repo.try_cora(&["index", "-q", "-v"]).exits(2);
    repo.try_cora(&["index", "--tags"]).exits(1).says("nothing to index");
}

#[test]
fn index_takes_branches_tags_and_ranges() {
    let repo = Repo::sample();
    repo.git(&["branch", "old", "HEAD~2"]);
    repo.git(&["tag", "v1", "HEAD~1"]);
    let indexed = |repo: &Repo| repo.index_refs().len();
    let fresh = |name: &str| {
        let clone = repo.clone_to(name, &["--bare"]);
        assert_eq!(indexed(&clone), 0);
        clone
    };
    let clone = fresh("branches.git");
    clone.cora(&["index", "--branches", "--max-fill", "0"]);
    assert_eq!(indexed(&clone), 2);
    let clone = fresh("tags.git");
    clone.cora(&["index", "--tags"]);
    assert_eq!(indexed(&clone), 1);
    let clone = fresh("all.git");
    clone.cora(&["index", "--all"]);
    assert_eq!(indexed(&clone), 3);
    let clone = fresh("range.git");
    clone.cora(&["index", "old..main"]);
    assert_eq!(indexed(&clone), 2);
    let clone = fresh("fill.git");
    clone.cora(&["index", "old"]);
    clone.cora(&["index", "--max-fill", "0", "main"]);
    assert_eq!(indexed(&clone), 2);
    let clone = fresh("cut.git");
    clone.cora(&["index", "main~2"]);
    clone.git(&["config", "cora.fill", "0"]);
    clone.cora(&["index", "main"]).says("cora.fill");
}

#[test]
fn only_our_refs_are_written() {
    let repo = Repo::sample();
    let others = |repo: &Repo| {
        let all = repo.refs("");
        all.into_iter().filter(|line| !line.starts_with("refs/cora")).collect::<Vec<_>>()
    };
    let (before, status) = (others(&repo), std::fs::read(repo.path().join(".git/index")).unwrap());
    repo.write("untracked.rs", "fn untracked() {}\n");
    repo.cora(&["index", "HEAD", "HEAD~1"]);
    repo.cora(&["query", "token"]);
    repo.cora(&["list"]);
    repo.cora(&["prune"]);
    assert_eq!(others(&repo), before);
    assert_eq!(std::fs::read(repo.path().join(".git/index")).unwrap(), status, "the staging index");
    assert_eq!(repo.git(&["stash", "list"]), "");
    assert!(!repo.git(&["log", "--format=%s", "--branches", "--tags"]).contains("git-cora"));
}

#[test]
fn a_list_is_cut_to_a_limit() {
    let repo = Repo::sample();
    let all = repo.cora(&["list"]);
    assert!(!all.err.contains("more"), "{}", all.err);
    let n = all.out.lines().count();
    for flag in ["-k", "-n", "--limit"] {
        let run = repo.cora(&["list", flag, "3"]).says(&format!("note: {} more; raise --limit\n", n - 3));
        assert_eq!(run.out.lines().collect::<Vec<_>>(), all.out.lines().take(3).collect::<Vec<_>>());
    }
    assert_eq!(repo.cora(&["list", "--json", "-k", "2"]).out.lines().count(), 2);
    let run = repo.cora(&["list", "-k", "99", "refresh_token"]);
    assert_eq!((run.out.lines().count(), run.err.as_str()), (1, ""));
}

#[test]
fn a_full_name_lists_a_declaration_whose_package_is_no_part_of_its_symbol() {
    let repo = Repo::new();
    repo.write("src/org/shop/Cart.java", "package org.shop;\n\nclass Cart {\n  void close() {}\n}\n");
    repo.write("src/Other.java", "class Cart {}\n");
    repo.commit("carts");
    for (name, expected) in [
        ("org.shop.Cart", "src/org/shop/Cart.java:3: class Cart\n"),
        ("org.shop.Cart.close", "src/org/shop/Cart.java:4: method Cart.close\n"),
    ] {
        assert_eq!(repo.cora(&["list", name]).out, expected, "{name}");
    }
}

#[test]
fn one_flag_limits_every_list() {
    let repo = Repo::sample();
    for command in [
        &["query", "refresh token"][..],
        &["refs", "refresh_token"],
        &["related", "lib/auth.py:10"],
        &["log", "refresh_token"],
        &["list"],
        &["diff", "HEAD~2"],
        &["changelog", "HEAD~2"],
        &["impact", "refresh_token"],
        &["explain", "lib/auth.py"],
    ] {
        let out = |flag: &str| {
            let run = repo.try_cora(&[command, &[flag, "1"]].concat());
            assert!(run.code < 2, "{command:?} {flag}: {}", run.err);
            run.out
        };
        let all = repo.try_cora(&[command, &["-k", "1000"]].concat()).out;
        let n_lines = |text: &str| text.lines().count();
        assert!(n_lines(&out("-k")) <= n_lines(&all), "{command:?}");
        if ["list", "diff"].contains(&command[0]) {
            assert!(n_lines(&out("-k")) < n_lines(&all), "{command:?}: {all}");
        }
        assert_eq!(out("-n"), out("-k"), "{command:?}");
        assert_eq!(out("--limit"), out("-k"), "{command:?}");
        repo.try_cora(&[command, &["-k", "0"]].concat()).exits(2);
    }
}

#[test]
fn the_first_index_and_stats_count_the_same() {
    let repo = Repo::new();
    // Identical files are read once, and are files of the commit all the same.
    for path in ["a.py", "b.py", "c.py"] {
        repo.write(path, "def one():\n    return 1\n");
    }
    repo.write("data.bin", "\0\0\0");
    repo.commit("first");
    let counts = "3 files, 1 more skipped, 3 chunks, ";
    repo.cora(&["index"]).says(&format!(": {counts}"));
    repo.cora(&["stats"]).prints(&format!(": {counts}3 declarations, "));
    repo.write("d.py", "def two():\n    return 2\n");
    repo.commit("second");
    repo.cora(&["index"]).says(": 1 file read, 0 of them skipped, 1 chunk, ");
}

#[test]
fn stats_counts_and_names_what_is_skipped() {
    let repo = Repo::sample();
    repo.cora(&["stats"])
        .prints("8 files".replace('8', "7").as_str())
        .prints("rust")
        .prints("skipped: 1 file\n");
    let report = repo.cora(&["stats", "--json", "--skipped"]).json();
    assert_eq!((&report["files"], &report["was_indexed"]), (&json!(7), &json!(true)));
    assert_eq!(report["skipped"], json!([{"reason": "binary", "files": 1, "paths": ["data.bin"]}]));
    let rust = report["languages"].as_array().unwrap().iter().find(|l| l["language"] == "rust").unwrap();
    assert_eq!(rust["files"], 2);
    let old = repo.cora(&["stats", "--json", "--rev", "HEAD~2"]).json();
    assert_eq!(old["files"], 6);
}

#[test]
fn stats_says_what_a_grammar_could_not_read() {
    let repo = Repo::new();
    repo.write("whole.py", "def whole():\n    pass\n");
    repo.write("broken.rs", "fn a() {}\n\nfn b() { let = ; }\n\nfn after() {}\n");
    repo.write("notes.md", "# Notes\n");
    repo.commit("files");
    repo.cora(&["stats", "--unparsed"]).prints("not parsed").prints("broken.rs").prints("0.00%");
    let report = repo.cora(&["stats", "--json", "--unparsed"]).json();
    let all = report["unparsed"].as_array().unwrap();
    let of = |name: &str| all.iter().find(|one| one["language"] == name);
    let rust = of("rust").unwrap();
    assert_eq!((&rust["files"], &rust["files_with_errors"]), (&json!(1), &json!(1)));
    assert_eq!(rust["worst"][0]["path"], "broken.rs");
    assert!((1..12).contains(&rust["unparsed_bytes"].as_u64().unwrap()), "{rust}");
    assert_eq!(of("python").unwrap()["unparsed_bytes"], 0);
    assert!(of("markdown").is_none(), "it has no grammar");
    assert_eq!(repo.cora(&["stats", "--json"]).json()["unparsed"], json!(null));
    // What is after the broken place is still found.
    repo.cora(&["list", "after"]).prints("broken.rs:5: function after");
}

#[test]
fn every_file_is_indexed_or_skipped_with_a_reason() {
    let repo = Repo::new();
    crate::history::random(&repo, 9, 16);
    let report = repo.cora(&["stats", "--json", "--skipped"]).json();
    let listed = repo.git(&["ls-tree", "-r", "--name-only", "HEAD"]).lines().count() as u64;
    let skipped: u64 =
        report["skipped"].as_array().unwrap().iter().map(|s| s["files"].as_u64().unwrap()).sum();
    assert_eq!(report["files"].as_u64().unwrap() + skipped, listed);
}

#[test]
fn list_prints_declarations() {
    let repo = Repo::sample();
    repo.cora(&["list", "refresh_token"]).prints("lib/auth.py:10: method SessionStore.refresh_token\n");
    assert_eq!(repo.cora(&["list", "refresh"]).out.lines().count(), 1, "a part of the symbol");
    assert_eq!(
        repo.cora(&["list", "Session*", "--kind", "class"]).out,
        "lib/auth.py:4: class SessionStore\n"
    );
    repo.try_cora(&["list", "session*x"]).exits(1);
    let fields = repo.try_cora(&["list", "--kind", "field"]).exits(1);
    assert!(fields.err.contains("no declarations") && fields.err.contains("hint: "), "{}", fields.err);
    repo.try_cora(&["list", "--rev", "HEAD~2", "exponential_backoff"]).exits(1);
    repo.cora(&["list", "--lang", "rust", "--path", "src"]).prints("exponential_backoff");
    let run = repo.cora(&["list", "--json", "serveHealth"]);
    let line: Value = run.json();
    assert_eq!(line["path"], "cmd/server.go");
    assert_eq!(
        (&line["kind"], &line["line"], &line["language"]),
        (&json!("function"), &json!(6), &json!("go"))
    );
    repo.write("extra.py", "def wombat():\n    pass\n");
    repo.cora(&["list", "wombat"]).prints("extra.py:1: function wombat");
}

#[test]
fn show_prints_a_record() {
    let repo = Repo::sample();
    repo.cora(&["show", "lib/auth.py"])
        .prints("python")
        .prints("SessionStore.refresh_token")
        .prints("keywords:");
    repo.below("lib").cora(&["show", "auth.py"]).prints("SessionStore");
    repo.cora(&["show", "HEAD~2:src/header.rs"]).prints("parse_header");
    repo.cora(&["show", "--rev", "HEAD~2", "src/header.rs"]).prints("parse_header");
    repo.cora(&["show", "data.bin"]).prints("skipped: binary");
    let record = repo.cora(&["show", "--json", "lib/auth.py"]).json();
    assert_eq!(record["blob"], repo.rev("HEAD:lib/auth.py"));
    assert_eq!(record["language"], "python");
    assert!(record["chunks"].as_array().unwrap().iter().any(|c| c["symbol"] == "SessionStore"));
    let one = repo.cora(&["show", "--chunk", "1", "lib/auth.py"]).out;
    assert!(one.contains("chunk 1") && !one.contains("chunk 2"), "{one}");
    assert!(one.contains("import time"), "its text: {one}");
    repo.try_cora(&["show", "--chunk", "99", "lib/auth.py"]).exits(2);
    let raw = repo.cora(&["show", "--raw", "lib/auth.py"]).out;
    for section in
        ["section 1, chunks: ", "section 2, embeddings: ", "section 3, keywords: ", "section 4, references: "]
    {
        assert!(raw.contains(&format!("\n{section}")), "{raw}");
    }
    let n_chunks = record["chunks"].as_array().unwrap().len();
    assert!(raw.contains(&format!("section 2, embeddings: {} bytes\n", 32 * n_chunks)), "{raw}");
    assert!(
        raw.contains("\n  declares SessionStore: ") && raw.contains("\n  import time.time: 1\n"),
        "{raw}"
    );
    repo.try_cora(&["show", "--raw", "--json", "lib/auth.py"]).exits(2);
    repo.try_cora(&["show", "nowhere.py"]).exits(2).says("no file 'nowhere.py' at ").says("hint: ");
    repo.try_cora(&["show", "auth.py"]).exits(2).says("hint: did you mean 'lib/auth.py'?");
    repo.try_cora(&["show", "lib/uath.py"]).exits(2).says("hint: did you mean 'lib/auth.py'?");
    repo.try_cora(&["show", "lib"]).exits(2).says("'lib' is a directory").says("git cora list --path lib");
    repo.try_cora(&["show", "HEAD~2:src/retry.rs"]).exits(2).says("no file 'src/retry.rs'");
    repo.write("fresh.py", "pass\n");
    repo.try_cora(&["show", "fresh.py"]).exits(2).says("commit it first");
    let lib = repo.below("lib");
    lib.cora(&["show", "../src/header.rs"]).prints("parse_header");
    lib.cora(&["show", "HEAD~2:./auth.py"]).prints("SessionStore");
    lib.cora(&["show", "--rev", "HEAD~2", "auth.py"]).prints("SessionStore");
    lib.try_cora(&["show", "../../elsewhere.rs"]).exits(2).says("outside the repository");
}

#[test]
fn verify_compares() {
    let repo = Repo::sample();
    repo.try_cora(&["verify"]).exits(2).says("not indexed").says("hint: run 'git cora index ");
    repo.cora(&["index", "HEAD", "HEAD~1"]);
    repo.cora(&["verify"]).says("8 of 8 records recomputed, 0 differ");
    repo.cora(&["verify", "--sample", "2", "HEAD~1"]).says("0 differ");
    repo.cora(&["verify", "--all"])
        .says("records recomputed, 7 already checked with an earlier commit, 0 differ");
    let report = repo.cora(&["verify", "--all", "--json"]).json();
    let commits = report["commits"].as_array().unwrap();
    assert_eq!(commits.len(), 2);
    let count = |at: usize| [&commits[at]["files"], &commits[at]["checked"], &commits[at]["known"]];
    assert_eq!(count(0), [&json!(8), &json!(8), &json!(0)]);
    assert_eq!(count(1), [&json!(8), &json!(1), &json!(7)]);
    assert_eq!(commits[0]["differences"], json!([]));
}

#[test]
fn prune_keeps_what_is_needed() {
    let repo = Repo::sample();
    for n in 0..6 {
        repo.commit(&format!("n{n}"));
    }
    repo.git(&["tag", "v1", "HEAD~5"]);
    repo.git(&["worktree", "add", "-q", "--detach", "../linked", "HEAD~4"]);
    repo.cora(&["index", "HEAD~8"]);
    repo.cora(&["index"]);
    assert_eq!(repo.index_refs().len(), 9);
    let report = repo.cora(&["prune", "--keep", "2", "-n", "--json"]).json();
    assert_eq!((&report["kept"], &report["dry_run"]), (&json!(4), &json!(true)));
    assert_eq!(repo.index_refs().len(), 9);
    repo.cora(&["prune", "--keep", "2"]).says("dropped 5 indexes, kept 4");
    for rev in ["HEAD", "HEAD~1", "HEAD~4", "v1"] {
        assert_eq!(repo.refs(&format!("refs/cora/{}", repo.rev(rev))).len(), 1, "{rev}");
    }
    // A dropped index is rebuilt with the same ids.
    let all = repo.cora(&["index", "--json", "HEAD~2"]).json();
    assert_eq!(all["files"], 0);
    // The index of a commit that is gone is dropped.
    repo.git(&["checkout", "-q", "--detach"]);
    let gone = repo.commit("gone");
    repo.cora(&["index"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    let report = repo.cora(&["prune", "--json"]).json();
    assert_eq!((&report["dropped"], &report["orphans"]), (&json!([gone]), &json!(1)));
    repo.cora(&["verify", "--all"]);
}

#[test]
fn old_indexes_go_by_themselves() {
    let repo = Repo::new();
    repo.git(&["config", "cora.keep", "10"]);
    for n in 0..52 {
        repo.git(&["commit", "-q", "--allow-empty", "-m", &n.to_string()]);
    }
    repo.cora(&["index", "HEAD~50"]);
    repo.cora(&["index", "HEAD~1"]);
    assert!(repo.index_refs().len() <= 12, "{}", repo.index_refs().len());
    repo.git(&["config", "cora.autoPrune", "false"]);
    repo.cora(&["index", "HEAD~51..HEAD"]);
    assert_eq!(repo.index_refs().len(), 51);
}

#[test]
fn doctor_says_what_to_do() {
    let repo = Repo::sample();
    repo.try_cora(&["doctor"]).exits(1).prints("problem  git-cora on PATH: no");
    // A fresh clone creates what it lacks on demand, so this is a note and not a problem.
    let set_up = repo.with_cora_on_path();
    set_up
        .cora(&["doctor"])
        .prints("note     hooks: not installed")
        .prints("run 'git cora init'")
        .prints("note     index of HEAD: missing")
        .prints("'git cora index'");
    set_up.cora(&["init", "-q"]);
    let good = set_up
        .cora(&["doctor"])
        .prints("ok       hooks")
        .prints("ok       repository: writable")
        .prints("records: 8 of 8 recomputed");
    assert!(good.out.lines().all(|line| !line.trim_end().ends_with('→')), "{}", good.out);
    let report = set_up.cora(&["doctor", "--json"]).json();
    assert_eq!(report["ok"], true);
    assert_eq!(report["checks"][0]["level"], "ok");
    std::fs::write(set_up.path().join(".git/hooks/post-merge"), "#!/bin/sh\n").unwrap();
    set_up.try_cora(&["doctor"]).exits(1).prints("problem  hooks: post-merge missing");
    set_up.cora(&["init", "-q"]);
    repo.git(&["config", "--add", "remote.o.fetch", "+refs/cora/*:refs/cora/*"]);
    set_up.try_cora(&["doctor"]).exits(1).prints("git fetch --prune");
}

#[test]
fn doctor_looks_at_a_sample_of_records() {
    let repo = Repo::sample().with_cora_on_path();
    for n in 0..30 {
        repo.write(&format!("lib/m{n}.py"), format!("def ledger_{n}():\n    pass\n"));
    }
    repo.commit("many");
    repo.cora(&["index"]);
    repo.cora(&["doctor"]).prints("records: 20 of 38 recomputed, all correct");
    repo.cora(&["verify", "--sample", "20"]).says("20 of 38 records recomputed, 0 differ");
}

#[test]
fn refs_and_related_follow_names() {
    let repo = Repo::sample();
    repo.write(
        "shop/cart.py",
        "from .money import total\n\n\nclass Cart:\n    def pay(self):\n        return total(self)\n",
    );
    repo.write("shop/money.py", "def total(cart):\n    return sum(cart)\n");
    repo.write(
        "tests/test_cart.py",
        "from shop.cart import Cart\n\n\ndef test_pay():\n    cart = Cart()\n    cart.pay()\n",
    );
    let run = repo.cora(&["refs", "total"]);
    assert_eq!(
        run.out,
        "shop/money.py:1: function total\n  called or referred to by\n    shop/cart.py:6: in method Cart.pay  (call, found by import)\n  \
         1 file contains the name, but the reference could not be resolved:\n    web/app.ts:3: in interface Invoice\n"
    );
    let report = repo.cora(&["refs", "total", "--callers", "--depth", "2", "--json"]).json();
    let caller = &report["symbols"][0]["callers"]["items"][0];
    assert_eq!(
        (&caller["symbol"], &caller["how"], &caller["certain"]),
        (&json!("Cart.pay"), &json!("import"), &json!(true))
    );
    let tests = &caller["related"][0];
    assert_eq!(
        (&tests["symbol"], &tests["test"], &tests["certain"]),
        (&json!("test_pay"), &json!(true), &json!(true))
    );
    assert_eq!(report["symbols"][0]["callees"], Value::Null);
    repo.cora(&["refs", "Cart.pay", "--callees", "--certain"])
        .prints("shop/money.py:1: function total  (called at line 6, found by import)");
    repo.cora(&["refs", "shop/cart.py:6", "--callees"]).prints("function total");
    repo.try_cora(&["refs", "totl"])
        .exits(1)
        .says("no declaration named 'totl'")
        .says("hint: did you mean 'total'?");
    repo.cora(&["related", "shop/money.py:1"]).prints("called by      shop/cart.py");
    let monee = "no file or declaration named 'shop/monee.py'";
    repo.try_cora(&["related", "shop/monee.py:1"]).exits(1).says(monee);
    repo.try_cora(&["related", "shop/money.py:99"]).exits(2).says("'shop/money.py' has 2 lines");
    repo.try_cora(&["refs", "total", "--depth", "9"]).exits(2);
}

#[test]
fn overloads_are_told_apart_by_their_arguments() {
    let repo = Repo::new();
    repo.write(
        "src/shop/Till.java",
        "package shop;\n\npublic class Till {\n    public int sum(int a) {\n        return sum(a, 0);\n    }\n\n    public int sum(int a, int b) {\n        return a + b;\n    }\n\n    public int sum(int a, int b, int... rest) {\n        return a + b + rest.length;\n    }\n}\n",
    );
    repo.write(
        "src/shop/Desk.java",
        "package shop;\n\npublic class Desk {\n    private final Till till = new Till();\n\n    int one() {\n        return till.sum(1);\n    }\n\n    int two() {\n        return till.sum(1, Math.max(2, 3));\n    }\n\n    int five() {\n        return till.sum(1, 2, 3, 4, 5);\n    }\n}\n",
    );
    repo.commit("till");
    let report = repo.cora(&["refs", "Till.sum", "--callers", "--json"]).json();
    let mut callers = BTreeMap::new();
    for symbol in report["symbols"].as_array().unwrap() {
        let items = symbol["callers"]["items"].as_array().unwrap();
        let names: Vec<String> = items.iter().map(|one| one["symbol"].as_str().unwrap().to_owned()).collect();
        callers.insert(symbol["line"].as_u64().unwrap(), names);
    }
    assert_eq!(callers[&4], ["Desk.one"]);
    // The type of `Math.max(2, 3)` is not known, but both methods take the same there. A fixed
    // number of arguments comes before any number.
    assert_eq!(callers[&8], ["Desk.two", "Till.sum"]);
    assert_eq!(callers[&12], ["Desk.five"], "{report}");
    for (caller, line) in [("one", 4), ("two", 8), ("five", 12)] {
        let callees = repo.cora(&["refs", &format!("Desk.{caller}"), "--callees"]);
        callees.prints(&format!("src/shop/Till.java:{line}: method Till.sum  (called at line "));
    }
}

#[test]
fn a_name_from_a_package_is_no_method_of_a_type_that_is_called_as_the_package() {
    let repo = Repo::new();
    repo.write("src/flask/__init__.py", "from .app import Flask\nfrom .helpers import url_for\n");
    repo.write(
        "src/flask/app.py",
        "class Flask:\n    def url_for(self, name):\n        return name + self.root\n",
    );
    repo.write("src/flask/helpers.py", "def url_for(name):\n    return current.url_for(name)\n");
    repo.write(
        "examples/shop.py",
        "from flask import url_for\n\n\ndef index():\n    return url_for('start')\n",
    );
    repo.commit("one");
    let method = repo.cora(&["refs", "Flask.url_for", "--callers", "--certain"]);
    assert!(!method.out.contains("shop.py"), "{}", method.out);
    repo.cora(&["refs", "src/flask/helpers.py:url_for", "--callers", "--certain"])
        .prints("examples/shop.py:5: in function index  (call, found by import)");
}

#[test]
fn a_list_has_code_before_documents_and_settings() {
    let repo = Repo::new();
    repo.write("CHANGELOG.md", "# Changes\n\n## Fixed\n\nAll.\n");
    repo.write("a.json", "{\"first\": 1, \"second\": {\"third\": 2}}\n");
    repo.write("b.yaml", "one:\n  two: 3\n");
    repo.write("z/last.py", "def last():\n    return 1\n");
    repo.write("z/early.sh", "early() {\n  echo\n}\n");
    repo.commit("all");
    let paths = |out: &str| -> Vec<String> {
        let mut paths: Vec<String> =
            out.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect();
        paths.dedup();
        paths
    };
    let expected = ["z/early.sh", "z/last.py", "CHANGELOG.md", "a.json", "b.yaml"];
    assert_eq!(paths(&repo.cora(&["list"]).out), expected);
    let json = repo.cora(&["list", "--json", "-k", "2"]).out;
    let first: Vec<&str> =
        json.lines().map(|line| if line.contains("z/") { "code" } else { "other" }).collect();
    assert_eq!(first, ["code", "code"]);
}

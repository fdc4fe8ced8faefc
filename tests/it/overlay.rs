//! The work tree: uncommitted files are found as they are on disk, with their state, and leave
//! nothing behind.

use serde_json::Value;

use crate::harness::Repo;

/// Returns the path, state and blob of the best result.
fn state(repo: &Repo, query: &str) -> Option<(String, String, Value)> {
    let result = repo.results(&[query]).into_iter().next()?;
    let text = |key: &str| result[key].as_str().unwrap().to_owned();
    Some((text("path"), text("git_status"), result["blob"].clone()))
}

#[test]
fn changes_are_found_with_their_state() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let (refs, objects) = (repo.index_refs(), repo.objects());
    let found = |query: &str| state(&repo, query).map(|(path, status, _)| (path, status));
    let is = |path: &str, status: &str| Some((path.to_owned(), status.to_owned()));

    repo.write("src/header.rs", "\n\npub fn zebra_header() {}\n");
    assert_eq!(found("zebra_header"), is("src/header.rs", "modified"));
    assert_eq!(repo.results(&["zebra_header"])[0]["start_line"], 3);
    assert_eq!(repo.results(&["zebra_header"])[0]["blob"], Value::Null);
    assert_eq!(repo.found(&["\"parse_header\""]), Vec::<String>::new(), "the old content is masked");
    assert_eq!(repo.found(&["--no-worktree", "\"parse_header\""]), ["src/header.rs"]);

    repo.write("new/giraffe.py", "def giraffe():\n    pass\n");
    assert_eq!(found("giraffe"), is("new/giraffe.py", "untracked"));

    repo.remove("cmd/server.go");
    assert_eq!(repo.found(&["serveHealth"]), Vec::<String>::new());

    let answer = repo.cora(&["query", "--json", "refresh_token"]).json();
    assert_eq!(answer["dirty_files"], 3);
    assert_eq!(answer["commit"], repo.rev("HEAD"));
    assert_eq!(answer["results"][0]["git_status"], "unmodified");
    assert_eq!((repo.index_refs(), repo.objects()), (refs, objects), "nothing was written");
}

#[test]
fn what_is_staged_counts() {
    let repo = Repo::sample();
    repo.git(&["mv", "web/app.ts", "web/billing.ts"]);
    let (path, status, _) = state(&repo, "loadInvoices").unwrap();
    assert_eq!(path, "web/billing.ts");
    assert!(["renamed", "added"].contains(&status.as_str()), "{status}");
    assert!(!repo.found(&["-k", "50", "invoices"]).contains(&"web/app.ts".to_owned()));

    repo.write("okapi.rs", "pub fn okapi() {}\n");
    repo.git(&["add", "okapi.rs"]);
    assert_eq!(state(&repo, "okapi").unwrap().1, "added");
    // The file on disk is searched, not the staged one.
    repo.write("okapi.rs", "pub fn okapi_two() {}\n");
    assert_eq!(repo.results(&["okapi_two"])[0]["symbol"], "okapi_two");
    repo.git(&["rm", "-q", "--cached", "README.md"]);
    assert!(repo.found(&["ledger installer"]).contains(&"README.md".to_owned()));
    repo.git(&["rm", "-q", "lib/auth.py"]);
    assert_eq!(repo.found(&["refresh_token"]), Vec::<String>::new());
}

#[test]
fn ignored_and_skipped_files_stay_out() {
    let repo = Repo::sample();
    repo.write(".gitignore", "*.log\nout/\n");
    repo.write("trace.log", "walrus walrus\n");
    repo.write("out/gen.py", "def walrus(): pass\n");
    repo.write("blob.bin", "walrus\0\0");
    assert_eq!(repo.found(&["walrus"]), Vec::<String>::new());
    // Uncommitted attributes do not apply. The committed ones decide about uncommitted files.
    repo.write("kept.py", "def walrus(): pass\n");
    assert_eq!(repo.found(&["walrus"]), ["kept.py"]);
}

#[test]
fn a_merge_in_conflict_is_searched_as_it_stands() {
    let repo = Repo::sample();
    repo.git(&["checkout", "-q", "-b", "theirs", "HEAD~1"]);
    repo.write("lib/auth.py", "def narwhal_theirs():\n    pass\n");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("lib/auth.py", "def narwhal_ours():\n    pass\n");
    repo.commit("ours");
    assert_ne!(repo.try_git(&["merge", "theirs"]).code, 0);
    let (path, status, _) = state(&repo, "narwhal_theirs").unwrap();
    assert_eq!((path.as_str(), status.as_str()), ("lib/auth.py", "conflicted"));
}

#[test]
fn a_file_for_a_directory_and_back() {
    let repo = Repo::sample();
    std::fs::remove_dir_all(repo.path().join("lib")).unwrap();
    repo.write("lib", "pelican\n");
    assert_eq!(repo.found(&["pelican"]), ["lib"]);
    assert_eq!(repo.found(&["refresh_token"]), Vec::<String>::new());
    repo.remove("README.md");
    repo.write("README.md/inner.md", "# Cormorant\n");
    assert_eq!(repo.found(&["cormorant"]), ["README.md/inner.md"]);
}

#[test]
fn committed_the_answer_is_the_same_but_for_the_state() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    repo.write("src/header.rs", "pub fn parse_header_twice() {}\n");
    repo.write("src/tail.rs", "/// Tokens at the end.\npub fn parse_tail() {}\n");
    repo.remove("cmd/server.go");
    let spans = |repo: &Repo| -> Vec<(Value, Value, Value, Value)> {
        let results = repo.results(&["-k", "50", "--all-chunks", "parse header token serve"]);
        let key = |r: &Value, key: &str| r[key].clone();
        results
            .iter()
            .map(|r| (key(r, "path"), key(r, "start_line"), key(r, "symbol"), key(r, "score")))
            .collect()
    };
    let dirty = spans(&repo);
    repo.commit("all of it");
    assert_eq!(spans(&repo), dirty);
    repo.drop_cached();
    assert_eq!(spans(&repo), dirty);
}

#[test]
fn every_result_is_where_it_says() {
    let repo = Repo::sample();
    repo.write("src/header.rs", "// one\n// two\n\npub fn ibex_header() {\n    body();\n}\n");
    for query in ["ibex_header", "refresh_token", "serveHealth", "loadInvoices", "currency", "install"] {
        for result in repo.results(&[query]) {
            let text = std::fs::read_to_string(repo.path().join(result["path"].as_str().unwrap())).unwrap();
            let (start, end) = (&result["start_line"], &result["end_line"]);
            let (start, end) = (start.as_u64().unwrap(), end.as_u64().unwrap());
            assert!(1 <= start && start <= end && end <= text.lines().count() as u64, "{query}: {result}");
        }
    }
}

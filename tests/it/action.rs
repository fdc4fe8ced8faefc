//! What the GitHub Action writes on a pull request.

use std::path::Path;

use crate::harness::{Repo, Run};

fn report(repo: &Repo, base: &str, head: &str) -> Run {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/action/report.sh");
    let output = repo.command("sh").arg(script).args([base, head]).output().unwrap();
    Run::new("report.sh".to_owned(), output)
}

#[test]
fn a_report_lists_what_a_branch_changes() {
    let repo = Repo::sample().with_cora_on_path();
    repo.git(&["checkout", "-q", "-b", "topic", "HEAD~1"]);
    repo.write("src/new.rs", "/// Doubles a number.\npub fn double(n: u32) -> u32 {\n    n * 2\n}\n");
    repo.commit("double");
    let run = report(&repo, "main", "topic").exits(0);
    assert!(run.out.starts_with("<!-- git-cora -->\n"), "{}", run.out);
    assert!(run.out.contains("```\nadded   src/new.rs:2: function double\n```\n"), "{}", run.out);
    // What main changed since is not the branch's.
    assert!(!run.out.contains("auth.py"), "{}", run.out);
    repo.write("notes.txt", "nothing\n");
    repo.git(&["checkout", "-q", "-b", "other", "main"]);
    assert!(report(&repo, "main", "other").exits(0).out.contains("changes no declaration"));
    // A long list is cut.
    let many: String = (0..150).map(|n| format!("pub fn number_{n}() -> u32 {{\n    {n}\n}}\n\n")).collect();
    repo.write("src/many.rs", many);
    repo.commit("many");
    let run = report(&repo, "main", "other").exits(0);
    assert!(run.out.ends_with(" more are not listed.\n"), "{}", run.out);
    assert_eq!(run.out.lines().filter(|line| line.starts_with("added ")).count(), 100);
    // A revision that does not exist is an error, not an empty report.
    assert_ne!(report(&repo, "main", "no-such-branch").code, 0);
}

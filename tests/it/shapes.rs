//! Repositories of unusual shapes, as other tools and old versions of Git leave them behind.

use crate::harness::Repo;

#[cfg(unix)]
#[test]
fn a_filter_makes_no_line_differ() {
    let repo = Repo::sample();
    repo.write(".gitattributes", "*.py filter=local\nid.rb ident\n");
    repo.git(&["config", "filter.local.clean", "sed -e /^#LOCAL/d -e s/SECRET/NONE/"]);
    let local = |body: &str| {
        format!("#LOCAL 1\n#LOCAL 2\ndef kept():\n    return 'SECRET'\n\n\ndef other():\n    return {body}\n")
    };
    repo.write("local.py", local("1"));
    repo.write("id.rb", "# $Id$\ndef kept_too\n  1\nend\n");
    repo.commit("files");
    assert_eq!(repo.git(&["show", "HEAD:local.py"]).lines().count(), 6, "the filter is used");
    // On the disk, nothing differs for Git.
    repo.write("local.py", format!("#LOCAL 3\n{}", local("1")));
    repo.try_cora(&["diff"]).says("no uncommitted change");
    repo.write("local.py", local("2"));
    repo.write(
        "id.rb",
        "# $Id: 0123456789012345678901234567890123456789 $\ndef kept_too\n  1\nend\n\ndef late\n  2\nend\n",
    );
    let diff = repo.cora(&["diff"]);
    assert_eq!(diff.out, "added   id.rb:6: function late\nchanged local.py:7: function other\n");
    let impact = repo.cora(&["impact"]);
    assert!(!impact.out.contains("kept"), "{}", impact.out);
    impact.prints("local.py:7: function other");
}

#[cfg(unix)]
#[test]
fn a_head_that_is_a_link_names_its_branch() {
    let repo = Repo::sample();
    std::fs::remove_file(repo.path().join(".git/HEAD")).unwrap();
    std::os::unix::fs::symlink("refs/heads/main", repo.path().join(".git/HEAD")).unwrap();
    repo.git(&["pack-refs", "--all"]);
    repo.cora(&["index"]).exits(0);
    assert!(!repo.found(&["session"]).is_empty());
    repo.cora(&["log", "lib/auth.py:SessionStore"]).prints("[added] first");
    repo.git(&["commit", "-q", "--allow-empty", "-m", "next"]);
    repo.cora(&["index"]).exits(0);
    assert_eq!(repo.index_refs().len(), 2);
}

#[test]
fn a_branch_without_a_commit_is_not_an_empty_repository() {
    let repo = Repo::sample();
    repo.git(&["checkout", "-q", "--orphan", "fresh"]);
    for args in [&["log", "open"][..], &["diff"], &["blame", "lib/auth.py"], &["show", "lib/auth.py"]] {
        let run = repo.try_cora(args).exits(2).says("error: branch 'fresh' has no commit yet");
        run.says("hint: run 'git branch --all' to see the branches that have commits");
    }
}

#[test]
fn a_commit_that_is_gone_is_called_missing() {
    let repo = Repo::sample();
    let head = repo.rev("HEAD");
    repo.git(&["clone", "-q", "--shared", ".", "../borrower"]);
    let borrower = repo.beside("borrower");
    let objects = repo.path().join(".git/objects");
    std::fs::rename(&objects, repo.path().join(".git/gone")).unwrap();
    for args in [&["log", "open"][..], &["query", "open"], &["refs", "open", "--rev", "main"]] {
        let run = borrower.try_cora(args).exits(2).says(&format!("commit {head} is missing"));
        run.says("hint: run 'git fsck'");
    }
    // Whoever writes an id may have the wrong one.
    borrower.try_cora(&["refs", "open", "--rev", &head]).exits(2).says("unknown revision");
}

#[test]
fn a_pathspec_from_the_root_is_suggested() {
    let repo = Repo::sample().below("lib");
    repo.try_cora(&["list", "--path", "src/retry.rs"]).says("did you mean ':/src/retry.rs'?");
    repo.cora(&["list", "--path", ":/src/retry.rs"]).prints("src/retry.rs:");
}

#[test]
fn hints_work_where_git_changed_the_directory() {
    let repo = Repo::sample().with_cora_on_path();
    let outside = repo.beside("").with_env("PWD", repo.path().parent().unwrap());
    let run = outside.try_git(&["-C", "work", "cora", "log", "lib/auth.py:nothing"]).exits(1);
    run.says("hint: run 'git cora -C work list --path lib/auth.py' for its declarations");
    let run = outside.try_git(&["-C", "work", "cora", "-C", "lib", "log", "auth.py:nothing"]).exits(1);
    run.says("hint: run 'git cora -C work/lib list --path auth.py' for its declarations");
    outside.cora(&["-C", "work/lib", "list", "--path", "auth.py"]).prints("lib/auth.py:");
    // A program that starts another one somewhere else may leave `PWD` as it is.
    let inside = repo.with_env("PWD", repo.path());
    inside.try_cora(&["log", "lib/auth.py:nothing"]).says("hint: run 'git cora list --path lib/auth.py'");
}

#[cfg(unix)]
#[test]
fn changes_are_listed_where_no_index_can_be_stored() {
    let repo = Repo::sample();
    repo.write("lib/auth.py", "def late():\n    return 1\n");
    // Nothing can be written, not even by root.
    let limited = |args: &[&str]| {
        let mut command = repo.command("/bin/sh");
        let script = "ulimit -f 0 && exec \"$@\" | cat";
        command.args(["-c", script, "sh", crate::harness::CORA]).args(args);
        crate::harness::Run::new(format!("{args:?}"), command.output().unwrap())
    };
    for args in [
        &["diff"][..],
        &["diff", "HEAD~"],
        &["impact"],
        &["changelog", "HEAD~2"],
        &["diff", "HEAD~2", "HEAD"],
    ] {
        let expected = repo.clone_to(&format!("writable-{}", args.join("-").replace('~', "")), &[]);
        expected.write("lib/auth.py", "def late():\n    return 1\n");
        let found = limited(args).out;
        let found = found.split("\nnote: the limit on the size of files").next().unwrap();
        assert_eq!(found, expected.try_cora(args).out, "{args:?}");
    }
    assert!(repo.index_refs().is_empty());
}

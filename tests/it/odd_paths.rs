//! Paths that are not UTF-8, or that can't be printed as they are: what one command prints, all
//! commands read.

#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

use crate::harness::{CORA, Repo, Run};

/// The path as it is printed, and as a shell passes it on when that is pasted in double quotes.
const PRINTED: &str = r#""d\374r/caf\351.py""#;
const PASTED: &str = r"d\374r/caf\351.py";

fn odd() -> Repo {
    let repo = Repo::new();
    let dir = repo.path().join(OsStr::from_bytes(b"d\xfcr"));
    std::fs::create_dir(&dir).unwrap();
    let write = |body: &str| {
        let text =
            format!("def total(items):\n    return {body}\n\n\ndef twice(items):\n    return total(items)\n");
        std::fs::write(dir.join(OsStr::from_bytes(b"caf\xe9.py")), text).unwrap();
    };
    write("sum(items)");
    repo.write("use.py", "def other():\n    return total([1])\n");
    repo.write("tab\tname.py", "def tabbed():\n    return 1\n");
    repo.commit("one");
    write("sum(items) + 0");
    repo.commit("two");
    repo
}

fn raw(repo: &Repo, args: &[&[u8]]) -> Run {
    let args: Vec<OsString> = args.iter().map(|arg| OsStr::from_bytes(arg).to_owned()).collect();
    let output = repo.command(CORA).args(&args).output().unwrap();
    Run::new(format!("{args:?}"), output)
}

#[test]
fn every_command_reads_a_path_as_it_is_printed() {
    let repo = odd();
    for path in [PRINTED, PASTED] {
        let place = format!("{path}:total");
        repo.cora(&["log", &place]).prints("two\n").prints(&format!("{PRINTED}:1: function total"));
        repo.cora(&["log", &format!("{path}:1")]).prints("two\n");
        repo.cora(&["blame", &place]).prints(&format!("{PRINTED}:1: function total"));
        repo.cora(&["blame", path]).prints(&format!("{PRINTED}, 6 lines"));
        repo.cora(&["refs", &place]).prints(&format!("{PRINTED}:6: in function twice"));
        repo.cora(&["explain", path]).prints("`twice`");
        repo.cora(&["explain", &place]).prints(&format!("`{PRINTED}:1-2`")).prints("(d%FCr/caf%E9.py#L1-L2)");
        repo.cora(&["related", &format!("{path}:1")]).prints(&format!("{PRINTED}:5: function twice"));
        repo.cora(&["impact", &place]).prints(&format!("{PRINTED}:6: in function twice"));
        repo.cora(&["show", path]).prints("function total at 1");
    }
    repo.cora(&["list", "--path", PRINTED]).prints(&format!("{PRINTED}:5: function twice"));
    repo.cora(&["diff", "HEAD~", "--", PRINTED]).prints(&format!("changed {PRINTED}:1: function total"));
    repo.cora(&["query", "-l", "total", "--path", r#""d\374r""#]).prints(PRINTED);
    repo.cora(&["list", "tabbed"]).prints(r#""tab\tname.py":1: function tabbed"#);
}

#[test]
fn every_command_reads_the_bytes_of_a_path() {
    let repo = odd();
    let path: &[u8] = b"d\xfcr/caf\xe9.py";
    let place: &[u8] = b"d\xfcr/caf\xe9.py:total";
    for command in ["log", "blame", "refs", "explain", "impact"] {
        raw(&repo, &[command.as_bytes(), place]).exits(0).prints(PRINTED);
    }
    for args in [
        &[b"blame", path][..],
        &[b"explain", path],
        &[b"related", path],
        &[b"show", path],
        &[b"list", b"--path", path],
        &[b"list", b"--path", b"d\xfcr"],
        &[b"list", b"--path", b":(exclude)use.py", b"--path", b"d\xfcr/*.py"],
        &[b"diff", b"HEAD~", path],
        &[b"diff", b"HEAD~", b"--", path],
        &[b"when", b"sum", b"--", path],
    ] {
        raw(&repo, args).exits(0).prints(PRINTED);
    }
    raw(&repo, &[b"list", b"--path", b":!d\xfcr", b"total"]).exits(1);
    let hint = r"run 'git cora list --path $'d\374r/caf\351.py'' for its declarations";
    raw(&repo, &[b"log", b"d\xfcr/caf\xe9.py:none"]).exits(1).says(PRINTED).says(hint);
    let below = repo.below(OsStr::from_bytes(b"d\xfcr"));
    raw(&below, &[b"log", b"caf\xe9.py:total"]).exits(0).prints(PRINTED);
    raw(&below, &[b"list", b"--path", b"caf\xe9.py"]).exits(0).prints(PRINTED);
    below.cora(&["list", "--path", "."]).prints(PRINTED);
    raw(&below, &[b"log", b"caf\xe9.py:none"]).exits(1).says(r"--path $'caf\351.py''");
}

#[test]
fn json_has_the_form_that_is_read() {
    let repo = odd();
    let found = repo.cora(&["refs", "--json", "total"]).json();
    assert_eq!(found["symbols"][0]["path"], PRINTED);
    assert_eq!(repo.results(&["total", "--path", PRINTED])[0]["path"], PRINTED);
    assert_eq!(repo.results(&["tabbed"])[0]["path"], "tab\tname.py");
    for (command, path) in [("log", "/declaration/path"), ("blame", "/path")] {
        let found = repo.cora(&[command, "--json", "total"]).json();
        assert_eq!(found.pointer(path).unwrap(), PRINTED, "{command}");
    }
}

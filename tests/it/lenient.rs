//! Odd repositories that Git reads: old histories, other tools' objects, edited files.
//!
//! Git is the oracle: what it reads, is indexed and found; what it refuses, is refused.

use serde_json::json;

use crate::harness::Repo;
use crate::http::Server;
use crate::mcp::Client;
use crate::page::text;

/// Stores an object of any bytes; returns its id.
fn store(repo: &Repo, kind: &str, bytes: &[u8]) -> String {
    repo.git_input(&["hash-object", "-t", kind, "-w", "--literally", "--stdin"], bytes)
}

/// Indexes HEAD and its parents, and checks the index and the answer.
#[track_caller]
fn works(repo: &Repo, what: &str) {
    repo.git(&["log", "--format=%H"]);
    let run = repo.try_cora(&["index"]);
    assert_eq!(run.code, 0, "{what}: {run:?}");
    assert_eq!(repo.found(&["--no-worktree", "refresh_token"]), ["lib/auth.py"], "{what}");
    for args in [&["verify"][..], &["prune"], &["stats"], &["doctor"], &["query", "why longer sessions"]] {
        let run = repo.try_cora(args);
        assert!(run.code < 2, "{what}: {run:?}");
    }
}

#[test]
fn odd_commits_are_indexed_and_so_are_their_children() {
    for format in [&[][..], &["--object-format=sha256"]] {
        let repo = Repo::sample_in(format);
        let (tree, parent) = (repo.rev("HEAD^{tree}"), repo.rev("HEAD"));
        let start = format!("tree {tree}\nparent {parent}\n");
        let who = "A <a@b> 1700000900 +0100";
        let committer = format!("committer {who}\n");
        for rest in [
            format!("author two\nlines <a@b> 1700000900 +0100\n{committer}\nodd\n"),
            format!("author A <a <b> 1700000900 +0100\n{committer}\nodd\n"),
            format!("author A a@b 1700000900\n{committer}\nodd\n"),
            format!("author {who}\n{committer}"),
            format!("author {who}\n\nno committer\n"),
            format!("{committer}author {who}\n\nturned\n"),
            "author <> 0 +0000\ncommitter <> -7 +9999\n\nodd\n".to_owned(),
            format!("author {who}\n{committer}encoding klingon\nx-odd \u{1}\n \n\ncaf\n"),
            "author \n\nodd\n".to_owned(),
            "\nonly a message\n".to_owned(),
        ] {
            let odd = store(&repo, "commit", format!("{start}{rest}").as_bytes());
            repo.git(&["update-ref", "refs/heads/main", &odd]);
            works(&repo, &rest);
            repo.commit("a child");
            works(&repo, &rest);
            repo.git(&["clone", "-q", "--bare", ".", "../to.git"]);
            repo.cora(&["push", "../to.git"]);
            std::fs::remove_dir_all(repo.root().join("to.git")).unwrap();
        }
        let broken = store(&repo, "commit", format!("parent {parent}\n\nno tree\n").as_bytes());
        repo.try_cora(&["query", "--rev", &broken, "x"]).exits(2).says("error: ");
    }
}

#[test]
fn odd_trees_are_indexed() {
    let repo = Repo::sample();
    let raw = |id: &str| -> Vec<u8> {
        (0..id.len()).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()).collect()
    };
    let file = raw(&repo.rev("HEAD:lib/auth.py"));
    let other = raw(&repo.rev("HEAD:README.md"));
    let entry = |mode: &str, name: &str, id: &[u8]| [format!("{mode} {name}\0").as_bytes(), id].concat();
    let lib = raw(&store(&repo, "tree", &entry("0100644", "auth.py", &file)));
    for (what, entries) in [
        ("zero-padded modes", vec![entry("040000", "lib", &lib)]),
        ("modes of old tools", vec![entry("100664", "README.md", &other), entry("40000", "lib", &lib)]),
        ("unsorted", vec![entry("40000", "lib", &lib), entry("100644", "README.md", &other)]),
        ("twice", vec![entry("40000", "lib", &lib), entry("40000", "lib", &lib)]),
        ("a file in place of a directory", vec![entry("40000", "lib", &lib), entry("100644", "lib", &other)]),
        ("a `.git`", vec![entry("40000", ".git", &lib), entry("40000", "lib", &lib)]),
        ("a slash", vec![entry("100644", "a/b", &other), entry("40000", "lib", &lib)]),
        ("dots", vec![entry("100644", "..", &other), entry("40000", "lib", &lib)]),
    ] {
        let tree = store(&repo, "tree", &entries.concat());
        repo.git(&["ls-tree", "-r", &tree]);
        let commit = repo.git(&["commit-tree", "-m", what, "-p", "HEAD", &tree]);
        repo.git(&["update-ref", "refs/heads/main", &commit]);
        works(&repo, what);
        assert_eq!(repo.git(&["fsck", "--no-dangling", "--connectivity-only"]), "", "{what}");
    }
}

#[test]
fn odd_tags_name_their_commits() {
    let repo = Repo::sample();
    let head = repo.rev("HEAD");
    for (name, rest) in [
        ("no-tagger", "type commit\ntag x\n\nm\n"),
        ("two-lines", "type commit\ntag x\ntagger A\nB <a@b> 1 +0\n\nm\n"),
        ("no-message", "type commit\ntag x\ntagger A <a@b> 1 +0000\n"),
        ("odd-name", "type commit\ntag a b c\ntagger x\n\n"),
    ] {
        let tag = store(&repo, "tag", format!("object {head}\n{rest}").as_bytes());
        repo.git(&["update-ref", &format!("refs/tags/{name}"), &tag]);
        assert_eq!(repo.rev(&format!("{name}^{{commit}}")), head);
        assert_eq!(repo.found(&["--rev", name, "refresh_token"]), ["lib/auth.py"], "{name}");
    }
    let tree =
        store(&repo, "tag", format!("object {}\ntype tree\ntag t\n\n", repo.rev("HEAD^{tree}")).as_bytes());
    repo.git(&["update-ref", "refs/tags/tree", &tree]);
    works(&repo, "a tag of a tree");
}

#[test]
fn odd_configuration_is_read_as_git_reads_it() {
    let repo = Repo::sample();
    let path = repo.path().join(".git/config");
    let plain = std::fs::read_to_string(&path).unwrap();
    let long = format!("{plain}[x]\n\ty = {}\n", "z".repeat(200_000));
    for (what, text) in [
        ("a byte order mark", format!("\u{feff}{plain}")),
        ("CRLF", plain.replace('\n', "\r\n")),
        ("a long value", long),
        ("no final line feed", format!("{plain}[cora]\n\tkeep = 7")),
        ("a missing include", format!("{plain}[include]\n\tpath = ../nowhere\n")),
        ("a conditional include", format!("{plain}[includeIf \"gitdir:/x/\"]\n\tpath = /nowhere\n")),
        ("a broken boolean that is not used", format!("{plain}[gc]\n\tauto = perhaps\n")),
        ("another broken value", format!("{plain}[pack]\n\tthreads = many\n[am]\n\tkeepcr = so-so\n")),
        ("a value with a comment", format!("{plain}[cora]\n\tkeep = 7 ; seven\n")),
        ("a continued line", format!("{plain}[cora]\n\tkeep = \\\n7\n")),
        ("an empty value", format!("{plain}[x]\n\ty =\n\tz\n[empty]\n")),
        ("an old subsection", format!("{plain}[branch.MAIN]\n\tremote = x\n")),
    ] {
        std::fs::write(&path, text).unwrap();
        repo.git(&["rev-parse", "HEAD"]);
        works(&repo, what);
    }
    for (key, value, args) in [
        ("cora.keep", "many", ["prune"]),
        ("cora.maxFileBytes", "-", ["index"]),
        ("core.sharedRepository", "0440", ["index"]),
    ] {
        let (section, name) = key.split_once('.').unwrap();
        std::fs::write(&path, format!("{plain}[{section}]\n\t{name} = {value}\n")).unwrap();
        drop(std::fs::remove_dir_all(repo.path().join(".git/refs/cora")));
        repo.try_cora(&args).exits(2).says(&format!("'{key}'"));
    }
}

#[test]
fn borrowed_objects_are_found_where_git_finds_them() {
    let far = Repo::sample();
    // far ← middle ← near, where each has an object of its own.
    far.git(&["clone", "-q", "--shared", ".", "../middle"]);
    let middle = far.beside("middle");
    middle.write("middle.rs", "pub fn only_in_the_middle() {}\n");
    middle.commit("middle");
    middle.git(&["clone", "-q", "--shared", ".", "../near"]);
    let near = far.beside("near");
    near.write("near.rs", "pub fn only_near() {}\n");
    near.commit("near");
    let alternates = |repo: &Repo, text: &str| repo.write(".git/objects/info/alternates", text);
    let (far_objects, middle_objects) = (far.path().join(".git/objects"), middle.path().join(".git/objects"));
    let [far_path, middle_path] = [far_objects.display(), middle_objects.display()];
    let near_path = near.path().join(".git/objects");
    let near_path = near_path.display();
    for (what, of_near, of_middle, of_far) in [
        ("itself", format!("{near_path}\n{middle_path}\n"), format!("{far_path}\n"), None),
        ("itself, relative", format!(".\n{middle_path}\n"), format!("{far_path}\n"), None),
        ("a cycle", format!("{middle_path}\n"), format!("{far_path}\n{near_path}\n"), None),
        (
            "a cycle further on",
            format!("{middle_path}\n"),
            format!("{far_path}\n"),
            Some(format!("{middle_path}\n")),
        ),
        ("a diamond", format!("{middle_path}\n{far_path}\n"), format!("{far_path}\n"), None),
        ("twice", format!("{middle_path}\n{middle_path}/\n"), format!("{far_path}\n"), None),
        ("missing", format!("/nowhere/objects\n{middle_path}\n"), format!("{far_path}\n"), None),
        ("relative", "../../../middle/.git/objects\n".into(), "../../../work/.git/objects\n".into(), None),
        ("quoted", format!("\"{middle_path}\"\n"), format!("# a comment\n\n\"{far_path}\"\n"), None),
        ("no line feed", format!("{middle_path}"), format!("{far_path}"), None),
    ] {
        alternates(&near, &of_near);
        alternates(&middle, &of_middle);
        match of_far {
            Some(text) => alternates(&far, &text),
            None => drop(std::fs::remove_file(far_objects.join("info/alternates"))),
        }
        near.git(&["fsck", "--no-dangling", "--connectivity-only"]);
        near.drop_cached();
        let query = |text: &str| near.try_cora(&["query", "--no-worktree", "--format", "paths", text]);
        for (text, path) in
            [("refresh_token", "lib/auth.py"), ("only_in_the_middle", "middle.rs"), ("only_near", "near.rs")]
        {
            let run = query(text);
            assert!(run.out.starts_with(&format!("{path}:")), "{what}: {run:?}");
        }
        // New objects go to the repository itself.
        near.write("new.rs", format!("// {what}\n"));
        near.commit(what);
        near.cora(&["index"]);
        near.cora(&["verify"]);
        near.git(&["fsck", "--no-dangling"]);
    }
}

#[test]
fn objects_are_where_the_environment_says() {
    let repo = Repo::sample();
    let own = repo.path().join("own-objects");
    std::fs::create_dir_all(own.join("info")).unwrap();
    let from = repo
        .with_env("GIT_OBJECT_DIRECTORY", &own)
        .with_env("GIT_ALTERNATE_OBJECT_DIRECTORIES", repo.path().join(".git/objects"));
    from.write("apart.rs", "pub fn stored_apart() {}\n");
    from.git(&["add", "apart.rs"]);
    let tree = from.git(&["write-tree"]);
    let commit = from.git(&["commit-tree", "-m", "apart", "-p", "HEAD", &tree]);
    let before = repo.index_refs();
    assert_eq!(from.found(&["--rev", &commit, "stored_apart"])[0], "apart.rs");
    // The objects may vanish with that directory, so no ref points to them.
    from.try_cora(&["index", &commit]).exits(2).says("'GIT_OBJECT_DIRECTORY' leads new objects elsewhere");
    assert_eq!(repo.index_refs(), before);
    repo.try_cora(&["query", "--rev", &commit, "stored_apart"]).exits(2).says("unknown revision");
    // In a hook that runs before a push is accepted, nothing may be stored.
    let held = from.with_env("GIT_QUARANTINE_PATH", &own);
    let second = from.git(&["commit-tree", "-m", "apart again", "-p", &commit, &tree]);
    assert_eq!(held.found(&["--rev", &second, "stored_apart"])[0], "apart.rs");
    held.try_cora(&["index", &second]).exits(2).says("before Git has accepted a push");
    assert_eq!(repo.index_refs(), before);
}

#[test]
fn what_is_in_the_way_is_named_with_a_way_out() {
    let repo = Repo::sample();
    let way_out = |run: &crate::harness::Run| {
        let line = run.err.lines().find_map(|line| line.strip_prefix("hint: run '")).unwrap().to_owned();
        line.split('\'').next().unwrap().to_owned()
    };
    let head = format!("{}\n", repo.rev("HEAD"));
    for text in [head.as_str(), "", "nonsense\n"] {
        repo.write(".git/refs/cora", text);
        let run = repo.try_cora(&["index"]).exits(2).says("'refs/cora' exists");
        let command = way_out(&run);
        let output = repo.command("sh").args(["-c", &command]).output().unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
        repo.cora(&["index"]);
        std::fs::remove_dir_all(repo.path().join(".git/refs/cora")).unwrap();
    }
    // A directory that a deleted ref left behind does no harm.
    let name = format!(".git/refs/cora/{}", repo.rev("HEAD"));
    std::fs::create_dir_all(repo.path().join(&name).join("a/b")).unwrap();
    repo.cora(&["index"]);
    assert!(repo.path().join(&name).is_file());

    let index = repo.path().join(".git/index");
    let whole = std::fs::read(&index).unwrap();
    for damaged in [&b""[..], b"DIRC", b"garbage", &whole[..whole.len() / 2]] {
        std::fs::write(&index, damaged).unwrap();
        let git = repo.try_git(&["status"]).code;
        let run = repo.try_cora(&["query", "refresh_token"]);
        assert_eq!(run.code == 0, git == 0, "{run:?}");
        if git != 0 {
            run.exits(2).says("--no-worktree");
        }
        assert_eq!(repo.found(&["--no-worktree", "refresh_token"]), ["lib/auth.py"]);
    }
}

#[test]
fn modified_files_are_read_in_the_encoding_of_the_work_tree() {
    let repo = Repo::sample();
    repo.write(".gitattributes", "*.wide working-tree-encoding=UTF-16LE text linguist-language=Rust\n");
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    repo.write("a.wide", wide("pub fn committed_wide() {}\n"));
    repo.commit("wide");
    assert_eq!(repo.found(&["committed_wide"])[0], "a.wide");
    repo.write("a.wide", wide("pub fn committed_wide() {}\n\npub fn grüner_wechsel() {}\n"));
    repo.write("b.wide", wide("pub fn untracked_wide() {}\n"));
    for (text, path) in [("grüner_wechsel", "a.wide"), ("untracked_wide", "b.wide")] {
        assert_eq!(repo.found(&[text])[0], path);
        repo.cora(&["query", text]).prints(text);
    }
    assert_eq!(repo.results(&["grüner_wechsel"])[0]["symbol"], "grüner_wechsel");
}

#[test]
fn read_decodes_a_file_as_the_index_does() {
    let repo = Repo::sample();
    let wide =
        |text: &str, order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<_>>();
    repo.write(".gitattributes", "*.wide working-tree-encoding=UTF-16LE text\n");
    repo.write("little.cs", wide("\u{feff}class Größe {}\n", u16::to_le_bytes));
    repo.write("big.cs", wide("\u{feff}class Weite {}\n", u16::to_be_bytes));
    repo.write("a.wide", wide("fn stored_as_utf8() {}\n", u16::to_le_bytes));
    repo.write("no-mark.cs", wide("class NoMark {}\n", u16::to_le_bytes));
    repo.commit("wide");
    let mut client = Client::start(&repo);
    for (path, text) in [("little.cs", "class Größe {}\n"), ("big.cs", "class Weite {}\n")] {
        assert_eq!(repo.found(&[text.trim_end()])[0], path, "it is searched");
        for rev in [json!(null), json!("HEAD")] {
            let reply = client.ok("read", json!({"path": path, "rev": rev}));
            assert!(reply.starts_with(&format!("{path}:1-1 of 1\n")) && reply.contains(text), "{reply}");
        }
    }
    for rev in [json!(null), json!("HEAD")] {
        let reply = client.ok("read", json!({"path": "a.wide", "rev": rev}));
        assert!(reply.contains("1  fn stored_as_utf8() {}\n"), "{reply}");
    }
    // Without a mark, nobody can know; the index skips it too.
    let text = client.fails("read", json!({"path": "no-mark.cs"}));
    assert!(text.contains("'no-mark.cs' is not text: 32 bytes"), "{text}");
}

#[test]
fn a_file_is_decoded_as_the_index_does() {
    let repo = Repo::sample();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    repo.write(".gitattributes", "*.wide working-tree-encoding=UTF-16LE text linguist-language=Rust\n");
    repo.write("a.cs", wide("\u{feff}class Groesse {\n    int wert;\n}\n"));
    repo.write("a.wide", wide("fn stored_as_utf8() {}\n"));
    repo.write("no-mark.cs", wide("class NoMark {}\n"));
    repo.commit("wide");
    repo.write("a.wide", wide("fn changed_since() {}\n"));
    let server = Server::start(&repo, &[]);
    let file = |path: &str, version: &str| {
        server.post("/coderag/file", &json!({ "repo": { "versionSpecifier": version }, "path": path }))
    };
    for version in ["workspace", "latest"] {
        let shown = file("a.cs", version).json();
        assert!(text(&shown["lines"]).contains("class Groesse {\n    int wert;"), "{shown}");
        assert_eq!((&shown["nLines"], &shown["language"]), (&json!(3), &json!("c-sharp")), "{shown}");
        assert_eq!(shown["declarations"][0]["symbol"], "Groesse", "{shown}");
        file("no-mark.cs", version).is_problem(422, "not-text");
    }
    assert_eq!(text(&file("a.wide", "latest").json()["lines"]), "fn stored_as_utf8() {}");
    let shown = file("a.wide", "workspace").json();
    assert_eq!(text(&shown["lines"]), "fn changed_since() {}");
    assert_eq!(shown["declarations"][0]["symbol"], "changed_since", "{shown}");
}

#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_no_obstacle_to_an_answer() {
    let repo = Repo::sample();
    for blocks in ["0", "1"] {
        // With the signal ignored, as under many supervisors, a write fails with EFBIG.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" query refresh_token");
        let output = repo.command("sh").args(["-c", &script, crate::harness::CORA]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("lib/auth.py"), "{blocks}: {output:?}");
    }
    repo.cora(&["index"]);
    repo.cora(&["verify"]);
}

#[test]
fn a_commit_too_deep_to_be_indexed_does_not_stop_those_after_it() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let (root, listing) = (repo.rev("HEAD^{tree}"), repo.git(&["ls-tree", "HEAD"]));
    let mut tree = root.clone();
    for _ in 0..600 {
        tree = repo.git_input(&["mktree"], format!("040000 tree {tree}\td\n"));
    }
    let deep = repo.git_input(&["mktree"], format!("{listing}\n040000 tree {tree}\tdeep\n"));
    let deep = repo.git(&["commit-tree", "-m", "deep", "-p", "HEAD", &deep]);
    let revert = repo.git(&["commit-tree", "-m", "revert", "-p", &deep, &root]);
    repo.git(&["update-ref", "refs/heads/main", &revert]);
    works(&repo, "the parent is too deep");
    repo.write("lib/later.py", "LIMIT = 3\n");
    repo.commit("later");
    works(&repo, "an ancestor is too deep");
    for args in [&["log", "refresh_token"][..], &["when", "refresh_token"], &["refs", "refresh_token"]] {
        assert_eq!(repo.try_cora(args).code, 0, "{args:?}");
    }
    // The index of the revert lacks its parent's, so it stays here.
    repo.git(&["init", "-q", "--bare", "../to.git"]);
    repo.git(&["push", "-q", "../to.git", "main"]);
    repo.cora(&["push", "../to.git"]);
    let there = repo.git(&["-C", "../to.git", "for-each-ref", "--format=%(refname)", "refs/cora"]);
    assert!(there.contains(&repo.rev("HEAD")) && !there.contains(&revert), "{there}");
    repo.try_cora(&["query", "x", "--rev", &deep]).exits(2).says("too many nested directories");
}

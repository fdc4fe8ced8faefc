//! Agents' files: `init --agent` and `uninstall` over every shape that such a file can have.

use super::*;

const FILES: [(&str, &str); 6] = [
    ("claude", ".mcp.json"),
    ("codex", ".codex/config.toml"),
    ("cursor", ".cursor/mcp.json"),
    ("gemini", ".gemini/settings.json"),
    ("vscode", ".vscode/mcp.json"),
    ("zed", ".zed/settings.json"),
];

#[test]
fn every_shape_of_an_agents_file_comes_back() {
    let json = [
        "",
        "\n",
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "{\"mcpServers\":{}}",
        "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}, \"z\": [1, 2]}",
        "{\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\"}\n\t}\n}",
        "{\r\n  \"mcpServers\": {\r\n    \"other\": {\"command\": \"x\"}\r\n  }\r\n}\r\n",
        "{\n  // ours\n  \"mcpServers\": {\n    \"other\": {}, // keep\n    /* last */\n  }, // end\n}\n// after\n",
        "\u{feff}{\n    \"mcpServers\": {}\n}\n",
        "// only a comment",
        "{\"a\": 1, \"a\": 2}",
        "{\"servers\": {\"b\": {\"command\": \"y\",},},}\n\n\n",
    ];
    let toml = [
        "",
        "# only a comment",
        "model = \"x\" # why",
        "# mine\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\"\n\n\n",
        "[mcp_servers]\n",
        "[mcp_servers]\nother = { command = \"y\" }\n[z]\na = 1",
        "mcp_servers = { other = { command = \"y\" } }\n",
        "mcp_servers.other.command = \"y\"\n[z]\n",
        "a = 1\r\n[mcp_servers.other]\r\ncommand = \"y\"\r\n",
        "\u{feff}a = 1\n",
    ];
    for ord in 0..json.len().max(toml.len()) {
        let repo = Repo::new();
        for (agent, file) in FILES {
            let texts: &[&str] = if agent == "codex" { &toml } else { &json };
            if let Some(text) = texts.get(ord) {
                put(&repo.path().join(file), text.as_bytes(), [0o644, 0o600, 0o664][ord % 3]);
            }
        }
        let before = tree(&repo);
        let all = "claude,codex,cursor,gemini,vscode,zed";
        repo.cora(&["init", "--agent", all, "-n"]);
        assert_same(&before, &tree(&repo), &format!("{ord}"));
        repo.cora(&["init", "--agent", all]);
        let with = tree(&repo);
        for (_, file) in FILES {
            assert_ne!(before.get(&repo.path().join(file)), with.get(&repo.path().join(file)));
            let text = fs::read_to_string(repo.path().join(file)).unwrap();
            assert!(text.contains("git-cora"), "{text}");
            let has_crlf = text.contains("\r\n");
            assert!(!has_crlf || !text.replace("\r\n", "").contains('\n'), "{text:?}");
        }
        repo.cora(&["init", "--agent", all]).says("already in '.zed/settings.json'");
        assert_same(&with, &tree(&repo), &format!("{ord} twice"));
        repo.cora(&["uninstall"]);
        assert_same(&before, &tree(&repo), &format!("{ord} in the end"));
    }
}

#[test]
fn edits_made_in_between_stay() {
    let repo = Repo::new();
    repo.write(".mcp.json", "{\"mcpServers\":{\"a\":{}}}");
    repo.cora(&["init", "--agent", "claude,codex"]);
    let edit = |file: &str, from: &str, to: &str| {
        let text = fs::read_to_string(repo.path().join(file)).unwrap();
        assert!(text.contains(from), "{text}");
        repo.write(file, text.replacen(from, to, 1));
    };
    edit(".mcp.json", "\"a\"", "\"renamed\"");
    repo.write(
        ".codex/config.toml",
        ["mine = 1\n".to_owned(), fs::read_to_string(repo.path().join(".codex/config.toml")).unwrap()]
            .concat(),
    );
    repo.write(".codex/other", "x");
    repo.cora(&["uninstall"]);
    let left = fs::read_to_string(repo.path().join(".mcp.json")).unwrap();
    assert!(left.contains("renamed") && !left.contains("cora"), "{left}");
    assert_eq!(fs::read_to_string(repo.path().join(".codex/config.toml")).unwrap(), "mine = 1\n");
    // Our entry was edited: it goes as a whole.
    let before = "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n";
    repo.write(".mcp.json", before);
    repo.cora(&["init", "--agent", "claude"]);
    edit(".mcp.json", "\"mcp\"", "\"-q\", \"mcp\"");
    repo.cora(&["uninstall"]);
    assert_eq!(fs::read_to_string(repo.path().join(".mcp.json")).unwrap(), before);
}

#[test]
fn without_the_note_no_file_with_content_is_removed() {
    let repo = Repo::new();
    repo.write(".mcp.json", "{\"mcpServers\":{}}");
    repo.cora(&["init", "--agent", "claude,codex"]);
    fs::remove_dir_all(repo.path().join(".git/cora")).unwrap();
    repo.cora(&["uninstall"]).says("removed 'cora' from '.mcp.json'");
    let left = fs::read_to_string(repo.path().join(".mcp.json")).unwrap();
    assert!(left.contains("mcpServers") && !left.contains("cora"), "{left}");
    assert!(!repo.path().join(".codex").exists(), "nothing was left of it");
}

#[test]
fn links_inside_the_work_tree_are_written_through() {
    let repo = Repo::new();
    put(&repo.path().join("shared/dotfile"), b"{}", 0o600);
    symlink("shared/dotfile", repo.path().join(".mcp.json")).unwrap();
    symlink("shared", repo.path().join(".zed")).unwrap();
    fs::create_dir(repo.path().join(".gemini")).unwrap();
    symlink("../elsewhere.json", repo.path().join(".gemini/settings.json")).unwrap();
    fs::create_dir(repo.path().join(".cursor")).unwrap();
    put(&repo.path().join("one.json"), b"{\"a\":1}", 0o644);
    fs::hard_link(repo.path().join("one.json"), repo.path().join(".cursor/mcp.json")).unwrap();
    let before = tree(&repo);
    repo.cora(&["init", "--agent", "claude,gemini,cursor,zed"])
        .says("added 'cora' in '.mcp.json' (a link to 'shared/dotfile')")
        .says("added 'cora' in '.zed/settings.json' (a link to 'shared/settings.json')")
        .says("added 'cora' in '.cursor/mcp.json'\n");
    let read = |path: &str| fs::read_to_string(repo.path().join(path)).unwrap();
    for path in ["shared/dotfile", "shared/settings.json", "elsewhere.json", "one.json"] {
        assert!(read(path).contains("git-cora"), "{path}");
    }
    assert!(repo.path().join(".mcp.json").is_symlink());
    assert!(repo.path().join(".gemini/settings.json").is_symlink());
    repo.cora(&["uninstall"]).says("removed 'cora' from '.mcp.json' (a link to 'shared/dotfile')");
    assert_same(&before, &tree(&repo), "links");
}

/// A link in the work tree, its target, and what its target is.
const ASTRAY: [(&str, &str, &str); 12] = [
    ("AGENTS.md", ".git/config", "inside a Git directory"),
    ("AGENTS.md", ".git/hooks/pre-commit", "inside a Git directory"),
    ("AGENTS.md", "sub/../.git/new", "inside a Git directory"),
    ("AGENTS.md", "sub/.GIT/config", "inside a Git directory"),
    ("AGENTS.md", "chain", "inside a Git directory"),
    (".cursor", ".git/hooks", "inside a Git directory"),
    (".claude", ".git/no/such", "inside a Git directory"),
    (".claude", "../out/dir", "outside the working tree"),
    (".agents", "OUT/dir", "outside the working tree"),
    ("AGENTS.md", "../out/bashrc", "outside the working tree"),
    (".mcp.json", "OUT/bashrc", "outside the working tree"),
    (".codex/config.toml", "../../out/new.toml", "outside the working tree"),
];
const ALL: &str = "claude,codex,cursor,gemini,vscode,zed,agents-md";

/// Makes a link of [`ASTRAY`] in a repository with a neighbour `out`. Returns the neighbour.
fn lead_astray(repo: &Repo, link: &str, target: &str) -> PathBuf {
    let out = repo.path().parent().unwrap().join("out");
    fs::create_dir_all(out.join("dir")).unwrap();
    fs::write(out.join("bashrc"), "{}").unwrap();
    fs::create_dir_all(repo.path().join("sub")).unwrap();
    if target == "chain" {
        symlink(".git/hooks/post-commit", repo.path().join("chain")).unwrap();
    }
    let link = repo.path().join(link);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(target.replace("OUT", out.to_str().unwrap()), link).unwrap();
    out
}

#[test]
fn a_tracked_link_that_leads_astray_is_refused() {
    for (link, target, why) in ASTRAY {
        let repo = Repo::new();
        let out = lead_astray(&repo, link, target);
        let state = || {
            let mut found = tree(&repo);
            walk(&out, &mut found);
            found
        };
        let before = state();
        for dry_run in [&["-n"][..], &[]] {
            let args = [&["init", "--agent", ALL, "--skill"], dry_run].concat();
            repo.try_cora(&args)
                .exits(2)
                .says(&format!("the link '{link}' leads to '"))
                .says(why)
                .says("was left unchanged too");
            assert_same(&before, &state(), &format!("{link} -> {target}"));
        }
        if link == "AGENTS.md" {
            repo.try_cora(&["init", "--agent", "agents-md"]).exits(2).says("hint: remove the link '");
        }
        repo.cora(&["uninstall"]).says(why);
        assert_same(&before, &state(), &format!("{link} -> {target}, uninstalled"));
    }
}

#[test]
fn a_link_that_leads_astray_later_is_not_written_through() {
    for (link, target, why) in ASTRAY {
        let repo = Repo::new();
        let clean = tree(&repo);
        repo.cora(&["init", "--agent", ALL, "--skill"]);
        let ours = repo.path().join(link);
        let moved = repo.path().join("moved");
        fs::rename(&ours, &moved).unwrap();
        let out = lead_astray(&repo, link, target);
        // What is there has our part.
        let real = ours.canonicalize().unwrap_or_else(|_| out.join("new.toml"));
        if moved.is_file() && !real.starts_with(repo.path().join(".git/config")) {
            fs::copy(&moved, &real).unwrap();
        } else if moved.is_dir() && real.is_dir() {
            for entry in fs::read_dir(&moved).unwrap().map(Result::unwrap).filter(|one| one.path().is_file())
            {
                fs::copy(entry.path(), real.join(entry.file_name())).unwrap();
            }
        }
        let state = || {
            let mut found = Tree::new();
            walk(&out, &mut found);
            for kept in [".git/hooks", "sub"] {
                walk(&repo.path().join(kept), &mut found);
            }
            found.insert("config".into(), fs::read_to_string(repo.path().join(".git/config")).unwrap());
            found
        };
        let before = state();
        repo.try_cora(&["uninstall", "-n"]).exits(2).says(&format!("the link '{link}' leads to '")).says(why);
        repo.try_cora(&["uninstall"]).exits(2).says(&format!("the link '{link}' leads to '")).says(why);
        assert_same(&before, &state(), &format!("{link} -> {target}"));
        // The link goes, and what it replaced returns.
        fs::remove_file(&ours).unwrap();
        fs::rename(&moved, &ours).unwrap();
        fs::remove_dir_all(repo.path().join("sub")).unwrap();
        let _ = fs::remove_file(repo.path().join("chain"));
        repo.cora(&["uninstall"]);
        let left: Vec<_> = tree(&repo).into_keys().filter(|path| !clean.contains_key(path)).collect();
        assert!(left.iter().all(|path| path.starts_with(repo.path().join(".git"))), "{link}: {left:?}");
    }
}

#[test]
fn one_bad_file_leaves_all_as_they_are() {
    let bad: [Shape; 8] = [
        ("directory", &|path| fs::create_dir(path).unwrap()),
        ("not UTF-8", &|path| put(path, b"{\"a\": \"\xff\"}", 0o644)),
        ("UTF-16", &|path| put(path, b"\xff\xfe{\0}\0", 0o644)),
        ("cut", &|path| put(path, b"{\"mcpServers\": {", 0o644)),
        ("a list", &|path| put(path, b"[]", 0o644)),
        ("twice", &|path| put(path, b"{\"mcpServers\": {}, \"mcpServers\": {}}", 0o644)),
        ("no directory", &|path| symlink("no/such/file", path).unwrap()),
        ("loop", &|path| symlink(".mcp.json", path).unwrap()),
    ];
    for (what, make) in bad {
        let repo = Repo::new();
        make(&repo.path().join(".mcp.json"));
        repo.write(".cursor/mcp.json", "{}");
        let before = tree(&repo);
        let run = repo.try_cora(&["init", "--agent", "claude,codex,cursor"]).exits(2);
        run.says(".mcp.json").says("'.cursor/mcp.json' was left unchanged too");
        assert_same(&before, &tree(&repo), what);
        // Nothing of ours is in the file, so the command succeeds.
        repo.cora(&["init", "--agent", "codex,cursor"]);
        repo.cora(&["uninstall"]).says("removed 'cora' from '.codex/config.toml'");
        assert_same(&before, &tree(&repo), what);
    }
    // Something of ours was in it: the rest goes, and the exit status says that it was not all.
    let repo = Repo::new();
    let before = tree(&repo);
    repo.cora(&["init", "--agent", "claude,codex,cursor"]);
    repo.remove(".mcp.json");
    fs::create_dir(repo.path().join(".mcp.json")).unwrap();
    repo.try_cora(&["uninstall"])
        .exits(2)
        .says("can't read")
        .says("removed 'cora' from '.codex/config.toml'");
    fs::remove_dir(repo.path().join(".mcp.json")).unwrap();
    repo.cora(&["uninstall"]);
    assert_same(&before, &tree(&repo), "in the end");
}

//! `init --agent NAME --skill`: the files of each agent, twice, and without a trace.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;

/// Each agent, and the files that it gets with a skill.
const FILES: [(&str, &[&str]); 7] = [
    ("claude", &[".claude/settings.json", ".claude/skills/git-cora/SKILL.md", ".mcp.json"]),
    ("codex", &[".agents/skills/git-cora/SKILL.md", ".codex/config.toml"]),
    ("cursor", &[".cursor/mcp.json", ".cursor/rules/git-cora.mdc"]),
    ("gemini", &[".agents/skills/git-cora/SKILL.md", ".gemini/settings.json"]),
    ("vscode", &[".agents/skills/git-cora/SKILL.md", ".vscode/mcp.json", ".vscode/settings.json"]),
    ("zed", &[".agents/skills/git-cora/SKILL.md", ".zed/settings.json"]),
    ("agents-md", &["AGENTS.md"]),
];

const ALL: &str = "claude,codex,cursor,gemini,vscode,zed,agents-md";

fn read(repo: &Repo, path: &str) -> String {
    fs::read_to_string(repo.path().join(path)).unwrap()
}

/// The files in the work tree, by path.
fn files(repo: &Repo) -> BTreeSet<String> {
    let found = tree(repo).into_iter().filter(|(_, what)| what.starts_with("file "));
    let paths = found.map(|(path, _)| path.strip_prefix(repo.path()).unwrap().display().to_string());
    paths.filter(|path| !path.starts_with(".git/")).collect()
}

#[test]
fn each_agent_gets_its_own_files() {
    for (agent, expected) in FILES {
        let repo = Repo::new();
        let before = tree(&repo);
        repo.cora(&["init", "--agent", agent, "--skill", "-n"]).says("would add");
        assert_same(&before, &tree(&repo), agent);
        let added = repo.cora(&["init", "--agent", agent, "--skill"]).says("added");
        assert_eq!(added.out, "", "{agent}: only a dry run shows what it would add");
        let found = files(&repo);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{agent}");
        for path in expected {
            let text = read(&repo, path);
            assert!(text.contains("cora") && text.ends_with('\n'), "{path}: {text}");
            if path.ends_with(".json") {
                let _: Value = serde_json::from_str(&text).unwrap();
            }
        }
        let with = tree(&repo);
        repo.cora(&["init", "--agent", agent, "--skill"]).says(&format!("already in '{}'", expected[0]));
        assert_same(&with, &tree(&repo), agent);
        repo.cora(&["uninstall"]).says(&format!("from '{}'", expected[0]));
        assert_same(&before, &tree(&repo), agent);
        repo.cora(&["uninstall"]).says("nothing to remove");
    }
}

#[test]
fn a_skill_and_permissions_are_written_only_on_request() {
    let repo = Repo::new();
    let before = tree(&repo);
    repo.cora(&["init", "--agent", "claude,codex,cursor,gemini,vscode,zed"]).says("add '--skill'");
    let plain = tree(&repo);
    assert!(plain.values().all(|what| !what.contains("SKILL") && !what.contains("trust")), "{plain:?}");
    // Later the rest is added; directories that are ours go in the end, whoever made them.
    repo.cora(&["init", "--agent", ALL, "--skill"]);
    let all = tree(&repo);
    assert!(read(&repo, ".gemini/settings.json").contains("\"trust\": true"));
    // Without the flag, nothing is taken back.
    repo.cora(&["init", "--agent", ALL]);
    assert_same(&all, &tree(&repo), "without the flag");
    repo.cora(&["uninstall"]);
    assert_same(&before, &tree(&repo), "in the end");
    repo.try_cora(&["init", "--skill"]).exits(2).says("--agent");
}

#[test]
fn every_shape_of_a_file_comes_back() {
    let markdown: [&[u8]; 8] = [
        b"",
        b"\n",
        b"# Rules\n\n- Be kind.\n",
        b"# Rules\n\n- Be kind.",
        b"# Rules\r\n\r\n- Be kind.\r\n",
        b"\xef\xbb\xbf# Rules\n\n\n\n",
        b"mixed\r\nline\nends",
        b"<!-- >>> git-cora >>> --> has no line of its own\n",
    ];
    let claude: [&str; 8] = [
        "",
        "{}",
        "{\"permissions\": {\"allow\": [\"Bash(ls)\"], \"deny\": []}}\n",
        "{\n\t\"permissions\": {\n\t\t\"deny\": [\"Read(.env)\"]\n\t}\n}",
        "{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"Bash(ls)\"\r\n    ]\r\n  }\r\n}\r\n",
        "{\n  // mine\n  \"permissions\": {\"allow\": [],}, // why\n}\n",
        "\u{feff}{\"model\": \"x\"}",
        "{\"permissions\": {\"allow\": [\"mcp__cora\"]}}",
    ];
    let vscode: [&str; 8] = [
        "",
        "{\n}\n",
        "{\n    // comment\n    \"editor.tabSize\": 4,\n}\n",
        "{\"chat.tools.terminal.autoApprove\": {}}",
        "{\"chat.tools.terminal.autoApprove\": {\"ls\": true}}\n\n",
        "// only a comment\n",
        "{\r\n\t\"a\": [1,\r\n2]\r\n}\r\n",
        "{ \"chat.tools.terminal.autoApprove\": { /* none */ } }",
    ];
    for ord in 0..markdown.len() {
        let repo = Repo::new();
        let mode = [0o644, 0o600, 0o664][ord % 3];
        put(&repo.path().join("AGENTS.md"), markdown[ord], mode);
        put(&repo.path().join(".claude/settings.json"), claude[ord].as_bytes(), mode);
        put(&repo.path().join(".vscode/settings.json"), vscode[ord].as_bytes(), mode);
        put(&repo.path().join(".agents/skills/other/SKILL.md"), b"theirs", mode);
        let before = tree(&repo);
        repo.cora(&["init", "--agent", ALL, "--skill"]);
        let with = tree(&repo);
        let agents = fs::read(repo.path().join("AGENTS.md")).unwrap();
        assert!(agents.starts_with(markdown[ord]), "{}", agents.escape_ascii());
        assert!(read(&repo, ".claude/settings.json").contains("mcp__cora"));
        assert!(read(&repo, ".vscode/settings.json").contains("git cora"));
        repo.cora(&["init", "--agent", ALL, "--skill"]);
        assert_same(&with, &tree(&repo), &format!("{ord} twice"));
        repo.cora(&["uninstall"]);
        assert_same(&before, &tree(&repo), &format!("{ord} in the end"));
    }
}

#[test]
fn text_that_is_added_later_stays() {
    let repo = Repo::new();
    repo.write("AGENTS.md", "# Rules\n\n- Be kind.\n");
    repo.cora(&["init", "--agent", "claude,agents-md", "--skill"]);
    repo.write(
        "AGENTS.md",
        format!("{}\n- And brief.\n", read(&repo, "AGENTS.md").replace("kind", "very kind")),
    );
    let settings = read(&repo, ".claude/settings.json").replacen("[", "[\n      \"Bash(ls)\",", 1);
    repo.write(".claude/settings.json", settings);
    repo.write(".claude/skills/git-cora/notes.md", "mine");
    repo.cora(&["uninstall"]);
    assert_eq!(read(&repo, "AGENTS.md"), "# Rules\n\n- Be very kind.\n\n- And brief.\n");
    let settings: Value = serde_json::from_str(&read(&repo, ".claude/settings.json")).unwrap();
    assert_eq!(settings["permissions"]["allow"], serde_json::json!(["Bash(ls)"]));
    assert!(!repo.path().join(".claude/skills/git-cora/SKILL.md").exists());
    assert_eq!(read(&repo, ".claude/skills/git-cora/notes.md"), "mine");
}

#[test]
fn files_that_others_committed_are_recognised() {
    let repo = Repo::new();
    repo.write("AGENTS.md", "# Rules\n");
    repo.commit("rules");
    repo.cora(&["init", "--agent", ALL, "--skill"]);
    repo.commit("agents");
    let clone = repo.clone_to("clone", &[]);
    let before = tree(&clone);
    clone.cora(&["init", "--agent", ALL, "--skill"]).says("already in 'AGENTS.md'");
    assert_same(&before, &tree(&clone), "already there");
    // An older text is renewed, and comes back.
    clone.write("AGENTS.md", read(&clone, "AGENTS.md").replace("an outline", "a map"));
    let skill = ".agents/skills/git-cora/SKILL.md";
    clone.write(skill, read(&clone, skill).replace("outline", "map"));
    let older = tree(&clone);
    clone.cora(&["init", "--agent", "codex,agents-md", "--skill"]).says("added a skill");
    assert!(read(&clone, skill).contains("outline") && read(&clone, "AGENTS.md").contains("outline"));
    clone.cora(&["uninstall"]);
    assert_eq!(tree(&clone)[&clone.path().join(skill)], older[&clone.path().join(skill)]);
    assert_eq!(tree(&clone)[&clone.path().join("AGENTS.md")], older[&clone.path().join("AGENTS.md")]);
    // Without a note of who wrote them, those go of which nothing is left.
    clone.cora(&["uninstall"]);
    let left = [
        ".claude/settings.json",
        ".cursor/mcp.json",
        ".gemini/settings.json",
        ".mcp.json",
        ".vscode/mcp.json",
        ".vscode/settings.json",
        ".zed/settings.json",
        "AGENTS.md",
    ];
    assert_eq!(files(&clone).into_iter().collect::<Vec<_>>(), left);
    assert!(left.iter().all(|file| !read(&clone, file).contains("cora")));
    assert_eq!(read(&clone, "AGENTS.md"), "# Rules\n");
}

#[test]
fn one_bad_file_leaves_all_as_they_are() {
    let skill = ".claude/skills/git-cora/SKILL.md";
    let bad: [(&str, Shape); 9] = [
        (skill, ("foreign", &|path| put(path, b"---\nname: git-cora\n---\nmine\n", 0o644))),
        (skill, ("directory", &|path| fs::create_dir_all(path).unwrap())),
        (skill, ("a file above", &|path| put(path.parent().unwrap(), b"", 0o644))),
        (
            skill,
            ("a dead link above", &|path| {
                fs::create_dir_all(path.parent().unwrap().parent().unwrap()).unwrap();
                symlink("no/such/directory", path.parent().unwrap()).unwrap();
            }),
        ),
        (".claude/settings.json", ("cut", &|path| put(path, b"{\"permissions\": ", 0o644))),
        (
            ".claude/settings.json",
            ("a number", &|path| put(path, b"{\"permissions\": {\"allow\": 1}}", 0o644)),
        ),
        ("AGENTS.md", ("not UTF-8", &|path| put(path, b"caf\xe9\n", 0o644))),
        ("AGENTS.md", ("endless", &|path| put(path, b"<!-- >>> git-cora >>> -->\n", 0o644))),
        ("AGENTS.md", ("loop", &|path| symlink("AGENTS.md", path).unwrap())),
    ];
    for (path, (what, make)) in bad {
        let repo = Repo::new();
        make(&repo.path().join(path));
        let before = tree(&repo);
        let run = repo.try_cora(&["init", "--agent", "claude,zed,agents-md", "--skill"]).exits(2);
        run.says(&format!("can't add to '{path}'")).says("'.zed/settings.json' was left unchanged too");
        assert_same(&before, &tree(&repo), what);
        repo.cora(&["init", "--agent", "zed,codex", "--skill"]);
        repo.cora(&["uninstall"]).says("removed a skill from '.agents/skills/git-cora/SKILL.md'");
        assert_same(&before, &tree(&repo), what);
    }
}

#[test]
fn a_write_that_fails_undoes_the_others() {
    let repo = Repo::new();
    let dir = repo.path().join(".vscode");
    fs::create_dir(&dir).unwrap();
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write everywhere.
    if fs::write(dir.join("probe"), "").is_err() {
        let before = tree(&repo);
        repo.try_cora(&["init", "--agent", ALL, "--skill"]).exits(2).says("nothing was changed");
        assert_same(&before, &tree(&repo), "read-only");
    }
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
    // A directory of the same name as our note.
    let repo = Repo::new();
    fs::create_dir_all(repo.path().join(".git/cora/install.json")).unwrap();
    let before = tree(&repo);
    repo.try_cora(&["init", "--agent", ALL, "--skill"]).exits(2).says("nothing was changed");
    assert_same(&before, &tree(&repo), "no note");
}

/// Returns the command lines in a text: what stands between back quotes and begins with `git cora`.
fn lines(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2).filter(|code| code.starts_with("git cora "));
    quoted.map(str::to_owned).collect()
}

#[test]
fn the_lines_of_a_skill_work() {
    let repo = Repo::sample().with_cora_on_path();
    repo.git(&["tag", "v1.0", "HEAD~1"]);
    repo.write("issue.md", "sessions expire too early\n");
    repo.cora(&["init", "--agent", "claude,agents-md", "--skill"]);
    let skill = read(&repo, ".claude/skills/git-cora/SKILL.md");
    let block = read(&repo, "AGENTS.md");
    let (found, more) = (lines(&skill), lines(&block));
    assert!(found.len() >= 11 && more.len() >= 5, "{found:?} {more:?}");
    let commands: BTreeSet<_> = found.iter().filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(
        commands.into_iter().collect::<Vec<_>>(),
        ["diff", "explain", "impact", "list", "log", "map", "query", "refs"]
    );
    for line in found.iter().chain(&more).filter(|line| *line != "git cora uninstall") {
        let line = line.replace("NAME", "refresh_token").replace("PATH", "lib/auth.py");
        let output = repo.command("sh").args(["-c", &line]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        // Nothing may be found, but the line must be understood.
        assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {error}");
        assert!(!error.contains("error:"), "{line}: {error}");
    }
}

#[test]
fn the_plugin_has_the_same_server_and_the_same_version() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let json = |path: &str| -> Value { serde_json::from_slice(&fs::read(root.join(path)).unwrap()).unwrap() };
    let plugin = json("plugin/.claude-plugin/plugin.json");
    assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(plugin["license"], env!("CARGO_PKG_LICENSE"));
    let market = json(".claude-plugin/marketplace.json");
    let listed = &market["plugins"][0];
    assert_eq!((&listed["name"], &listed["description"]), (&plugin["name"], &plugin["description"]));
    let source = root.join(listed["source"].as_str().unwrap());
    assert!(source.join(".claude-plugin/plugin.json").is_file());
    assert!(source.join("skills/git-cora/SKILL.md").is_file());
    let repo = Repo::new();
    repo.cora(&["init", "--agent", "claude", "--skill"]);
    let ours: Value = serde_json::from_str(&read(&repo, ".mcp.json")).unwrap();
    let theirs = &json("plugin/.mcp.json")["mcpServers"]["cora"];
    for key in ["command", "args"] {
        assert_eq!(ours["mcpServers"]["cora"][key], theirs[key]);
    }
    // Apart from the line that says who made it, the skill is the plugin's.
    let skill = fs::read_to_string(root.join("plugin/skills/git-cora/SKILL.md")).unwrap();
    let written = read(&repo, ".claude/skills/git-cora/SKILL.md");
    let words = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains("Made by"));
        lines.flat_map(str::split_whitespace).filter(|word| *word != ">-").map(str::to_owned).collect()
    };
    assert_eq!(words(&written), words(&skill));
}

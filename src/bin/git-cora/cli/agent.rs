//! `git cora init --agent`: adds our server to the configuration of an agent's client, and removes
//! it.
//!
//! Each client has a file in the project and a key in it ([`CLIENTS`]). Files are edited, not
//! rewritten: their other content stays, comments and order included. The ledger notes each edit,
//! so that removing the entry restores the file byte for byte. If several files are asked for, all
//! are read and checked before the first is written.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Value, json};
use toml_edit::{Array, DocumentMut, Item, Table};

use git_cora::git::Repository;

use crate::setup::ledger::{Edit, Ledger};
use crate::setup::step::{self, Step};

use super::args::Agent;
use super::context::Context;

/// Name of the entry, by which agents call our server.
const NAME: &str = "cora";
/// The program that clients start.
const PROGRAM: &str = "git-cora";

/// The configuration of a client.
struct Client {
    agent: Agent,
    /// Path from the root of the work tree.
    file: &'static str,
    /// Key of the object that contains the servers.
    key: &'static str,
    /// The client's variable for the open folder, if it starts servers in another directory.
    folder: Option<&'static str>,
    /// Keys of the entry in addition to `command` and `args`.
    more: &'static [(&'static str, &'static str)],
    /// The next step for the user.
    then: &'static str,
}

/// The supported clients, from their own documentation as of November 2026.
const CLIENTS: [Client; 6] = [
    Client {
        agent: Agent::Claude,
        file: ".mcp.json",
        key: "mcpServers",
        folder: None,
        more: &[("type", "stdio")],
        then: "Claude Code asks once whether to use it; run '/mcp' to see it",
    },
    Client {
        agent: Agent::Codex,
        file: ".codex/config.toml",
        key: "mcp_servers",
        folder: None,
        more: &[],
        then: "Codex reads it in projects that it trusts; run '/mcp' to see it",
    },
    Client {
        agent: Agent::Cursor,
        file: ".cursor/mcp.json",
        key: "mcpServers",
        folder: Some("${workspaceFolder}"),
        more: &[],
        then: "switch it on in Cursor's settings, under MCP",
    },
    Client {
        agent: Agent::Gemini,
        file: ".gemini/settings.json",
        key: "mcpServers",
        folder: None,
        more: &[],
        then: "run '/mcp' to see it",
    },
    Client {
        agent: Agent::Vscode,
        file: ".vscode/mcp.json",
        key: "servers",
        folder: Some("${workspaceFolder}"),
        more: &[("type", "stdio")],
        then: "start it from the file, or with 'MCP: List Servers'",
    },
    Client {
        agent: Agent::Zed,
        file: ".zed/settings.json",
        key: "context_servers",
        folder: None,
        more: &[],
        then: "open the agent panel's settings to see it",
    },
];

impl Client {
    fn args(&self) -> Vec<&'static str> {
        match self.folder {
            Some(folder) => vec!["-C", folder, "mcp"],
            None => vec!["mcp"],
        }
    }

    fn entry(&self) -> Value {
        let mut entry = serde_json::Map::new();
        entry.extend(self.more.iter().map(|(key, value)| ((*key).to_owned(), json!(value))));
        entry.insert("command".to_owned(), json!(PROGRAM));
        entry.insert("args".to_owned(), json!(self.args()));
        Value::Object(entry)
    }

    /// Returns the file's text with the entry; `None` if it has the entry already.
    fn added(&self, text: &str) -> anyhow::Result<Option<String>> {
        let (mark, text) = split_mark(text);
        let new = if self.file.ends_with(".toml") { self.added_toml(text) } else { self.added_json(text) };
        let has_crlf = text.contains("\r\n") && !text.replace("\r\n", "").contains('\n');
        let ends = |new: String| if has_crlf { new.replace("\r\n", "\n").replace('\n', "\r\n") } else { new };
        Ok(new?.map(|new| format!("{mark}{}", ends(new))))
    }

    fn added_json(&self, text: &str) -> anyhow::Result<Option<String>> {
        let root = parse_json(text)?;
        let servers = match root.value() {
            None => root.object_value_or_set(),
            Some(value) => value.as_object().context("it does not contain an object")?,
        };
        only_once(&servers, self.key)?;
        let servers = match servers.get(self.key) {
            None => servers.object_value_or_set(self.key),
            Some(servers) => {
                servers.object_value().with_context(|| format!("'{}' in it is not an object", self.key))?
            }
        };
        only_once(&servers, NAME)?;
        let entry = self.entry();
        match servers.get(NAME) {
            Some(old) if old.value().is_some_and(|old| old.to_serde_value().as_ref() == Some(&entry)) => {
                return Ok(None);
            }
            Some(old) => old.set_value(input(&entry)),
            None => drop(servers.append(NAME, input(&entry))),
        }
        let mut new = root.to_string();
        if text.trim().is_empty() && !new.ends_with('\n') {
            new.push('\n');
        }
        Ok(Some(new))
    }

    fn added_toml(&self, text: &str) -> anyhow::Result<Option<String>> {
        let mut document: DocumentMut = text.parse()?;
        let before = document.to_string();
        let servers = document.entry(self.key).or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        let servers =
            servers.as_table_like_mut().with_context(|| format!("'{}' in it is not a table", self.key))?;
        let entry = servers.entry(NAME).or_insert_with(|| Item::Table(Table::new()));
        let entry = entry.as_table_like_mut().with_context(|| format!("'{NAME}' in it is not a table"))?;
        let args: Array = self.args().into_iter().collect();
        let is_same = entry.get("command").and_then(Item::as_str) == Some(PROGRAM)
            && entry.get("args").and_then(Item::as_array).is_some_and(|old| {
                old.iter().map(toml_edit::Value::as_str).eq(self.args().into_iter().map(Some))
            });
        if is_same {
            return Ok(None);
        }
        entry.insert("command", toml_edit::value(PROGRAM));
        entry.insert("args", toml_edit::value(args));
        let after = document.to_string();
        Ok(Some(after).filter(|after| *after != before))
    }

    /// Returns the file's text without the entry; `None` if it has none, or one that is not ours.
    fn removed(&self, text: &str) -> anyhow::Result<Option<String>> {
        let (mark, text) = split_mark(text);
        Ok(self.removed_after_mark(text)?.map(|new| format!("{mark}{new}")))
    }

    fn removed_after_mark(&self, text: &str) -> anyhow::Result<Option<String>> {
        if self.file.ends_with(".toml") {
            let mut document: DocumentMut = text.parse()?;
            let Some(servers) = document.get_mut(self.key).and_then(Item::as_table_like_mut) else {
                return Ok(None);
            };
            let command = servers.get(NAME).and_then(|entry| entry.get("command")).and_then(Item::as_str);
            if command != Some(PROGRAM) {
                return Ok(None);
            }
            servers.remove(NAME);
            return Ok(Some(document.to_string()));
        }
        let root = parse_json(text)?;
        let servers = root.object_value().and_then(|root| root.object_value(self.key));
        let Some(entry) = servers.and_then(|servers: CstObject| servers.get(NAME)) else { return Ok(None) };
        let value = entry.value().and_then(|value| value.to_serde_value()).unwrap_or_default();
        if value.get("command") != Some(&json!(PROGRAM)) {
            return Ok(None);
        }
        entry.remove();
        Ok(Some(root.to_string()))
    }

    /// Whether a file with this text is empty: no comment, and no key but that of the servers,
    /// without servers.
    fn is_empty(&self, text: &str) -> bool {
        if self.file.ends_with(".toml") {
            return [String::new(), format!("[{}]", self.key)].iter().any(|nothing| text.trim() == nothing);
        }
        serde_json::from_str(text)
            .is_ok_and(|value: Value| value == json!({}) || value == json!({self.key: {}}))
    }
}

fn parse_json(text: &str) -> anyhow::Result<CstRootNode> {
    Ok(CstRootNode::parse(text, &ParseOptions::default())?)
}

/// Splits a byte order mark from the text.
fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}

/// Fails if an object has a key twice: programs differ in which one they read.
fn only_once(object: &CstObject, key: &str) -> anyhow::Result<()> {
    let n = object.properties().iter().filter(|one| one.decoded_name().as_deref() == Some(key)).count();
    anyhow::ensure!(n < 2, "'{key}' occurs in it {n} times");
    Ok(())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(entries) => {
            CstInputValue::Object(entries.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

/// A planned change of a client's file.
struct FileChange {
    client: &'static Client,
    /// The file's text after the change; `None` if the entry is there already.
    new: Option<String>,
    edit: Option<Edit>,
    steps: Vec<Step>,
}

/// Adds the entry to the configuration of each of these clients, or to none.
pub(crate) fn add(
    context: &Context,
    repo: &Repository,
    agents: &[Agent],
    dry_run: bool,
) -> anyhow::Result<()> {
    let root = root(repo)?;
    let mut ledger = Ledger::open(repo);
    let (mut changes, mut errors) = (Vec::new(), Vec::new());
    for client in CLIENTS.iter().filter(|client| agents.contains(&client.agent)) {
        match plan_addition(repo, &root, client, &ledger) {
            Ok(change) => changes.push(change),
            Err(error) => {
                errors
                    .push(error.context(format!("can't add to '{}', which was left unchanged", client.file)));
            }
        }
    }
    if let Some(last) = errors.pop() {
        for error in errors {
            context.complain(&format!("error: {error:#}"));
        }
        for change in &changes {
            context.complain(&format!("note: '{}' was left unchanged too", change.client.file));
        }
        return Err(last);
    }
    for change in &mut changes {
        if let Some(edit) = change.edit.take() {
            ledger.set(&edit.file.clone(), Some(edit));
        }
    }
    let steps = changes.iter().flat_map(|change| change.steps.clone());
    let steps: Vec<_> = ledger.steps()?.into_iter().chain(steps).collect();
    if !dry_run {
        step::apply(&steps)?;
    }
    for change in &changes {
        let file = change.client.file;
        match &change.new {
            None => context.say(&format!("agent: already in '{file}'")),
            Some(new) => {
                let did = if dry_run { "would add" } else { "added" };
                context.say(&format!("agent: {did} '{NAME}' in '{file}'"));
                if dry_run {
                    context.print(new)?;
                }
                context.say(&format!("hint: {}", change.client.then));
            }
        }
    }
    Ok(())
}

fn plan_addition(
    repo: &Repository,
    root: &Path,
    client: &'static Client,
    ledger: &Ledger,
) -> anyhow::Result<FileChange> {
    let path = step::behind_links(&root.join(client.file))?;
    let dir = path.parent().context("it has no directory")?;
    let current = read(&path)?;
    let name = Ledger::agent_file(repo, client.file);
    let edit = ledger.edit(&name);
    let undone = edit.zip(current.as_ref()).and_then(|(edit, text)| edit.undo(text.as_bytes()));
    let undone = undone.and_then(|bytes| String::from_utf8(bytes).ok());
    let base = match (edit, undone) {
        (Some(edit), Some(text)) if edit.made_file && text.is_empty() => None,
        (_, Some(text)) => Some(text),
        _ => current.clone(),
    };
    let new = client.added(base.as_deref().unwrap_or_default())?;
    let Some(new) = new.filter(|new| current.as_ref() != Some(new)) else {
        return Ok(FileChange { client, new: None, edit: None, steps: Vec::new() });
    };
    let mut noted = Edit::between(name, base.as_deref().map(str::as_bytes), new.as_bytes());
    let mut steps = Vec::new();
    let is_there = dir.is_dir();
    if !is_there {
        let is_ours = root.join(client.file).parent() == Some(dir) && !dir.is_symlink();
        anyhow::ensure!(is_ours, "the directory '{}' does not exist", dir.display());
        steps.push(Step::MakeDir(dir.to_owned()));
    }
    noted.made_dir = !is_there || edit.is_some_and(|edit| edit.made_dir);
    steps.push(write(&path, &new));
    Ok(FileChange { client, new: Some(new), edit: Some(noted), steps })
}

/// Removes our entry from the configuration of every client, and restores what was there before.
/// Returns the files that had the entry. Goes on past a file that it can't handle, and adds it to
/// `problems` if the entry is in it.
pub(crate) fn remove(
    context: &Context,
    repo: &Repository,
    ledger: &mut Ledger,
    dry_run: bool,
    problems: &mut Vec<String>,
) -> Vec<&'static str> {
    let Ok(root) = root(repo) else { return Vec::new() };
    let mut files = Vec::new();
    for client in &CLIENTS {
        let name = Ledger::agent_file(repo, client.file);
        let planned = plan_removal(&root, client, ledger.edit(&name));
        let done = planned.and_then(|steps| {
            if !dry_run {
                step::apply(&steps)?;
            }
            Ok(!steps.is_empty())
        });
        match done {
            Ok(had_entry) => {
                files.extend(had_entry.then_some(client.file));
                ledger.set(&name, None);
            }
            Err(error) if ledger.edit(&name).is_some() => problems.push(format!("{error:#}")),
            Err(error) => context.complain(&format!("note: {error:#}; it was left unchanged")),
        }
    }
    files
}

fn plan_removal(root: &Path, client: &Client, edit: Option<&Edit>) -> anyhow::Result<Vec<Step>> {
    let link = root.join(client.file);
    let path = step::behind_links(&link).with_context(|| format!("can't read '{}'", link.display()))?;
    let Some(old) = read_bytes(&path)? else { return Ok(Vec::new()) };
    let remove_dir = |is_ours: bool| {
        path.parent().filter(|dir| is_ours && *dir != root).map(|dir| Step::RemoveDir(dir.to_owned()))
    };
    if let Some((edit, new)) = edit.and_then(|edit| Some((edit, edit.undo(&old)?))) {
        if !(edit.made_file && new.is_empty()) {
            return Ok(vec![write_bytes(&path, new)]);
        }
        return Ok([Step::Remove(path.clone())].into_iter().chain(remove_dir(edit.made_dir)).collect());
    }
    // A file that can't be parsed contains no entry of ours.
    let Ok(old) = String::from_utf8(old) else { return Ok(Vec::new()) };
    let Ok(Some(new)) = client.removed(&old) else { return Ok(Vec::new()) };
    // Versions without a ledger made each file that is empty now, unless it is behind a link.
    let is_ours = edit.map_or(!link.is_symlink(), |edit| edit.made_file);
    if is_ours && client.is_empty(&new) {
        let is_dir_ours = edit.is_none_or(|edit| edit.made_dir);
        return Ok([Step::Remove(path.clone())].into_iter().chain(remove_dir(is_dir_ours)).collect());
    }
    Ok(vec![write(&path, &new)])
}

fn root(repo: &Repository) -> anyhow::Result<PathBuf> {
    repo.work_dir().map(Path::to_owned).context("a bare repository has no place for a client's configuration")
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    let bytes = read_bytes(path)?;
    bytes
        .map(|bytes| String::from_utf8(bytes).with_context(|| format!("'{}' is not UTF-8", path.display())))
        .transpose()
}

fn read_bytes(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("can't read '{}'", path.display())),
    }
}

fn write(path: &Path, text: &str) -> Step {
    write_bytes(path, text.as_bytes().to_vec())
}

fn write_bytes(path: &Path, bytes: Vec<u8>) -> Step {
    let path = path.to_owned();
    if step::has_more_names(&path) { Step::Overwrite { path, bytes } } else { Step::Write { path, bytes } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(agent: Agent) -> &'static Client {
        CLIENTS.iter().find(|client| client.agent == agent).unwrap()
    }

    #[test]
    fn what_is_there_stays_and_a_second_time_changes_nothing() {
        let old = "{\n  // ours\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // keep\n  },\n  \"z\": 1\n}\n";
        for agent in [Agent::Claude, Agent::Cursor, Agent::Gemini] {
            let new = client(agent).added(old).unwrap().unwrap();
            for kept in ["// ours", "\"other\": {\"command\": \"x\"}", "// keep", "\"z\": 1"] {
                assert!(new.contains(kept), "{new}");
            }
            assert!(new.contains("\"command\": \"git-cora\""), "{new}");
            assert_eq!(client(agent).added(&new).unwrap(), None);
            let back = client(agent).removed(&new).unwrap().unwrap();
            assert!(!back.contains("cora") && back.contains("// keep"), "{back}");
            assert_eq!(client(agent).removed(&back).unwrap(), None);
        }
        let old = "# mine\nmodel = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        let new = client(Agent::Codex).added(old).unwrap().unwrap();
        assert_eq!(new, format!("{old}\n[mcp_servers.cora]\ncommand = \"git-cora\"\nargs = [\"mcp\"]\n"));
        assert_eq!(client(Agent::Codex).added(&new).unwrap(), None);
        assert_eq!(client(Agent::Codex).removed(&new).unwrap().unwrap().trim_end(), old.trim_end());
    }

    #[test]
    fn every_client_gets_a_file_that_reads_back() {
        for client in &CLIENTS {
            let new = client.added("").unwrap().unwrap();
            assert!(new.ends_with('\n'));
            if client.file.ends_with(".toml") {
                let _: DocumentMut = new.parse().unwrap();
            } else {
                // Strict JSON, because not every client accepts comments.
                let value: Value = serde_json::from_str(&new).unwrap();
                assert_eq!(value[client.key][NAME], client.entry());
            }
            assert_eq!(client.added(&new).unwrap(), None);
            assert!(!client.is_empty(&new));
            let back = client.removed(&new).unwrap().unwrap();
            assert!(client.is_empty(&back), "{back}");
            let comment = if client.file.ends_with(".toml") { "# mine\n" } else { "// mine\n" };
            assert!(!client.is_empty(&format!("{comment}{back}")));
        }
    }

    #[test]
    fn an_older_entry_of_ours_is_renewed_and_a_foreign_one_stays_at_removal() {
        let old = "{\"mcpServers\": {\"cora\": {\"command\": \"git-cora\", \"args\": [\"serve\"]}}}";
        let new = client(Agent::Claude).added(old).unwrap().unwrap();
        assert!(new.contains("\"mcp\"") && !new.contains("serve"), "{new}");
        let foreign = "{\"mcpServers\": {\"cora\": {\"command\": \"other\"}}}";
        assert_eq!(client(Agent::Claude).removed(foreign).unwrap(), None);
    }

    #[test]
    fn what_can_not_be_read_is_not_touched() {
        for (agent, text) in [
            (Agent::Claude, "{\"mcpServers\": "),
            (Agent::Claude, "[]"),
            (Agent::Claude, "{\"mcpServers\": []}"),
            (Agent::Codex, "a = "),
            (Agent::Codex, "mcp_servers = 1"),
        ] {
            assert!(client(agent).added(text).is_err(), "{text}");
        }
    }
}

//! `git cora init --agent`: adds our server to the configuration of an agent's client, and removes
//! it.
//!
//! Each client has a file in the project and a key in it ([`CLIENTS`]). Files are edited, not
//! rewritten: their other content stays, comments and order included. A file that can't be parsed
//! is not touched. A file that contains nothing but our entry is deleted when the entry is removed.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Value, json};
use toml_edit::{Array, DocumentMut, Item, Table};

use git_cora::base::tempfile;
use git_cora::git::Repository;

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
        then: "Claude Code asks once whether to use it; '/mcp' shows it",
    },
    Client {
        agent: Agent::Codex,
        file: ".codex/config.toml",
        key: "mcp_servers",
        folder: None,
        more: &[],
        then: "Codex reads it in projects that it trusts; '/mcp' shows it",
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
        then: "'/mcp' shows it",
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
        then: "the agent panel's settings show it",
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
        if self.file.ends_with(".toml") { self.added_toml(text) } else { self.added_json(text) }
    }

    fn added_json(&self, text: &str) -> anyhow::Result<Option<String>> {
        let root = parse_json(text)?;
        let servers = match root.value() {
            None => root.object_value_or_set(),
            Some(value) => value.as_object().context("it holds no object")?,
        };
        let servers = match servers.get(self.key) {
            None => servers.object_value_or_set(self.key),
            Some(servers) => {
                servers.object_value().with_context(|| format!("'{}' in it is no object", self.key))?
            }
        };
        let entry = self.entry();
        match servers.get(NAME) {
            Some(old) if old.value().is_some_and(|old| old.to_serde_value().as_ref() == Some(&entry)) => {
                return Ok(None);
            }
            Some(old) => old.set_value(input(&entry)),
            None => drop(servers.append(NAME, input(&entry))),
        }
        Ok(Some(ended(root.to_string())))
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
            servers.as_table_like_mut().with_context(|| format!("'{}' in it is no table", self.key))?;
        let entry = servers.entry(NAME).or_insert_with(|| Item::Table(Table::new()));
        let entry = entry.as_table_like_mut().with_context(|| format!("'{NAME}' in it is no table"))?;
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

fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
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

/// Adds the entry to the configuration of each of these clients.
pub(crate) fn add(
    context: &Context,
    repo: &Repository,
    agents: &[Agent],
    dry_run: bool,
) -> anyhow::Result<()> {
    let root = root(repo)?;
    for client in CLIENTS.iter().filter(|client| agents.contains(&client.agent)) {
        let path = root.join(client.file);
        let old = read(&path)?;
        let new = client
            .added(old.as_deref().unwrap_or_default())
            .with_context(|| format!("can't add to '{}', which was not touched", client.file))?;
        match new {
            None => context.say(&format!("agent: already in '{}'", client.file)),
            Some(new) => {
                let did = if dry_run { "would add" } else { "added" };
                context.say(&format!("agent: {did} '{NAME}' in '{}'", client.file));
                if dry_run {
                    context.print(&new)?;
                } else {
                    write(&path, &new)?;
                }
                context.say(&format!("hint: {}", client.then));
            }
        }
    }
    Ok(())
}

/// Removes our entry from the configuration of every client, and deletes files that have nothing
/// else. Returns the files that had the entry.
pub(crate) fn remove(repo: &Repository, dry_run: bool) -> anyhow::Result<Vec<&'static str>> {
    let Ok(root) = root(repo) else { return Ok(Vec::new()) };
    let mut files = Vec::new();
    for client in &CLIENTS {
        let path = root.join(client.file);
        // A file that can't be parsed contains no entry of ours.
        if let Some(old) = read(&path)?
            && let Ok(Some(new)) = client.removed(&old)
        {
            files.push(client.file);
            match client.is_empty(&new) && !path.is_symlink() {
                _ if dry_run => {}
                false => write(&path, &new)?,
                true => {
                    std::fs::remove_file(&path)
                        .with_context(|| format!("can't remove '{}'", path.display()))?;
                    // Removes the directory if it is empty, and fails otherwise.
                    if let Some(dir) = path.parent().filter(|dir| *dir != root) {
                        let _ = std::fs::remove_dir(dir);
                    }
                }
            }
        }
    }
    Ok(files)
}

fn root(repo: &Repository) -> anyhow::Result<PathBuf> {
    repo.work_dir().map(Path::to_owned).context("a bare repository has no place for a client's configuration")
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("can't read '{}'", path.display())),
    }
}

/// Replaces the file in one step. A link stays a link: its target is replaced.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let complaint = || format!("can't write '{}'", path.display());
    let dir = path.parent().with_context(complaint)?;
    std::fs::create_dir_all(dir).with_context(complaint)?;
    tempfile::replace(&path, false, text.as_bytes()).with_context(complaint)
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

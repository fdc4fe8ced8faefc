//! The clients of agents, and the text of their files with and without our entry.
//!
//! Owns [`CLIENTS`]. Pure: text → text. A file is edited, not rewritten: its other content stays,
//! comments and order included. A text that can't be read is refused.
//!
//! Must not: import a module of this program but the list of agents. The fuzz target `agent`
//! compiles this file alone.

use anyhow::Context as _;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Value, json};
use toml_edit::{Array, DocumentMut, Item, Table};

use super::Agent;

/// Name of the entry, by which agents call our server.
pub(super) const NAME: &str = "cora";
/// The program that clients start.
const PROGRAM: &str = "git-cora";

/// The configuration of a client.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) agent: Agent,
    /// Path from the root of the work tree.
    pub(super) file: &'static str,
    /// Key of the object that contains the servers.
    key: &'static str,
    /// The client's variable for the open folder, if it starts servers in another directory.
    folder: Option<&'static str>,
    /// Keys of the entry in addition to `command` and `args`.
    more: &'static [(&'static str, &'static str)],
    /// The key of the entry that allows all tools of the server.
    trust: Option<&'static str>,
    /// The next step for the user.
    pub(super) then: &'static str,
}

/// The supported clients, from their own documentation as of November 2026.
pub(super) const CLIENTS: [Client; 6] = [
    Client {
        agent: Agent::Claude,
        file: ".mcp.json",
        key: "mcpServers",
        folder: None,
        more: &[("type", "stdio")],
        trust: None,
        then: "Claude Code asks once whether to use the server; run '/mcp' to see it",
    },
    Client {
        agent: Agent::Codex,
        file: ".codex/config.toml",
        key: "mcp_servers",
        folder: None,
        more: &[],
        trust: None,
        then: "Codex starts the server only in projects that you trust; run '/mcp' to see it",
    },
    Client {
        agent: Agent::Cursor,
        file: ".cursor/mcp.json",
        key: "mcpServers",
        folder: Some("${workspaceFolder}"),
        more: &[],
        trust: None,
        then: "switch the server on in Cursor's settings, under MCP",
    },
    Client {
        agent: Agent::Gemini,
        file: ".gemini/settings.json",
        key: "mcpServers",
        folder: None,
        more: &[],
        trust: Some("trust"),
        then: "run '/mcp' to see the server",
    },
    Client {
        agent: Agent::Vscode,
        file: ".vscode/mcp.json",
        key: "servers",
        folder: Some("${workspaceFolder}"),
        more: &[("type", "stdio")],
        trust: None,
        then: "click 'Start' above 'cora' in the file, or run the command 'MCP: List Servers'",
    },
    Client {
        agent: Agent::Zed,
        file: ".zed/settings.json",
        key: "context_servers",
        folder: None,
        more: &[],
        trust: None,
        then: "open the agent panel's settings to see the server",
    },
];

impl Client {
    fn args(&self) -> Vec<&'static str> {
        match self.folder {
            Some(folder) => vec!["-C", folder, "mcp"],
            None => vec!["mcp"],
        }
    }

    fn entry(&self, is_trusted: bool) -> Value {
        let mut entry = serde_json::Map::new();
        entry.extend(self.more.iter().map(|(key, value)| ((*key).to_owned(), json!(value))));
        entry.insert("command".to_owned(), json!(PROGRAM));
        entry.insert("args".to_owned(), json!(self.args()));
        entry.extend(self.trust.filter(|_| is_trusted).map(|key| (key.to_owned(), json!(true))));
        Value::Object(entry)
    }

    /// Returns the file's text with the entry; `None` if it has the entry already. `is_trusted`
    /// also allows the server's tools, if the entry is where the client looks for that.
    pub(super) fn added(&self, text: &str, is_trusted: bool) -> anyhow::Result<Option<String>> {
        edit(text, |text| {
            if self.file.ends_with(".toml") {
                self.added_toml(text)
            } else {
                self.added_json(text, is_trusted)
            }
        })
    }

    /// Whether the entry in a text allows the server's tools.
    pub(super) fn is_trusted(&self, text: &str) -> bool {
        let Some(key) = self.trust else { return false };
        let servers =
            parse_json(split_mark(text).1).ok().and_then(|root| root.object_value()?.object_value(self.key));
        let entry = servers.and_then(|servers| servers.get(NAME)?.value()?.to_serde_value());
        entry.is_some_and(|entry| {
            entry.get("command") == Some(&json!(PROGRAM)) && entry.get(key) == Some(&json!(true))
        })
    }

    fn added_json(&self, text: &str, is_trusted: bool) -> anyhow::Result<Option<String>> {
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
        let entry = self.entry(is_trusted);
        match servers.get(NAME) {
            Some(old) if old.value().is_some_and(|old| old.to_serde_value().as_ref() == Some(&entry)) => {
                return Ok(None);
            }
            Some(old) => old.set_value(input(&entry)),
            None => drop(servers.append(NAME, input(&entry))),
        }
        Ok(Some(root.to_string()))
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
    pub(super) fn removed(&self, text: &str) -> anyhow::Result<Option<String>> {
        edit(text, |text| self.removed_after_mark(text))
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
    pub(super) fn is_empty(&self, text: &str) -> bool {
        if self.file.ends_with(".toml") {
            return [String::new(), format!("[{}]", self.key)].iter().any(|nothing| text.trim() == nothing);
        }
        serde_json::from_str(text)
            .is_ok_and(|value: Value| value == json!({}) || value == json!({self.key: {}}))
    }
}

/// Edits a text behind its byte order mark, and keeps its line ends. What an empty text becomes
/// ends with a line end.
pub(super) fn edit(
    text: &str,
    edit: impl FnOnce(&str) -> anyhow::Result<Option<String>>,
) -> anyhow::Result<Option<String>> {
    let (mark, text) = split_mark(text);
    let Some(mut new) = edit(text)? else { return Ok(None) };
    if text.trim().is_empty() && !new.ends_with('\n') {
        new.push('\n');
    }
    let has_crlf = text.contains("\r\n") && !text.replace("\r\n", "").contains('\n');
    if has_crlf {
        new = new.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    Ok(Some(format!("{mark}{new}")))
}

pub(super) fn parse_json(text: &str) -> anyhow::Result<CstRootNode> {
    Ok(CstRootNode::parse(text, &ParseOptions::default())?)
}

/// Splits a byte order mark from the text.
fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}

/// Fails if an object has a key twice: programs differ in which one they read.
pub(super) fn only_once(object: &CstObject, key: &str) -> anyhow::Result<()> {
    let n = object.properties().iter().filter(|one| one.decoded_name().as_deref() == Some(key)).count();
    anyhow::ensure!(n < 2, "'{key}' occurs {n} times in it");
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
            let new = client(agent).added(old, false).unwrap().unwrap();
            for kept in ["// ours", "\"other\": {\"command\": \"x\"}", "// keep", "\"z\": 1"] {
                assert!(new.contains(kept), "{new}");
            }
            assert!(new.contains("\"command\": \"git-cora\""), "{new}");
            assert_eq!(client(agent).added(&new, false).unwrap(), None);
            let back = client(agent).removed(&new).unwrap().unwrap();
            assert!(!back.contains("cora") && back.contains("// keep"), "{back}");
            assert_eq!(client(agent).removed(&back).unwrap(), None);
        }
        let old = "# mine\nmodel = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        let new = client(Agent::Codex).added(old, false).unwrap().unwrap();
        assert_eq!(new, format!("{old}\n[mcp_servers.cora]\ncommand = \"git-cora\"\nargs = [\"mcp\"]\n"));
        assert_eq!(client(Agent::Codex).added(&new, false).unwrap(), None);
        assert_eq!(client(Agent::Codex).removed(&new).unwrap().unwrap().trim_end(), old.trim_end());
    }

    #[test]
    fn every_client_gets_a_file_that_reads_back() {
        for client in &CLIENTS {
            let new = client.added("", false).unwrap().unwrap();
            assert!(new.ends_with('\n'));
            if client.file.ends_with(".toml") {
                let _: DocumentMut = new.parse().unwrap();
            } else {
                // Strict JSON, because not every client accepts comments.
                let value: Value = serde_json::from_str(&new).unwrap();
                assert_eq!(value[client.key][NAME], client.entry(false));
            }
            assert_eq!(client.added(&new, false).unwrap(), None);
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
        let new = client(Agent::Claude).added(old, false).unwrap().unwrap();
        assert!(new.contains("\"mcp\"") && !new.contains("serve"), "{new}");
        let foreign = "{\"mcpServers\": {\"cora\": {\"command\": \"other\"}}}";
        assert_eq!(client(Agent::Claude).removed(foreign).unwrap(), None);
    }

    #[test]
    fn trust_is_part_of_the_entry_where_a_client_reads_it_there() {
        let gemini = client(Agent::Gemini);
        let plain = gemini.added("", false).unwrap().unwrap();
        let trusted = gemini.added(&plain, true).unwrap().unwrap();
        assert!(trusted.contains("\"trust\": true") && !plain.contains("trust"), "{trusted}");
        assert!(gemini.is_trusted(&trusted) && !gemini.is_trusted(&plain) && !gemini.is_trusted("{"));
        assert_eq!(gemini.added(&trusted, true).unwrap(), None);
        assert!(gemini.is_empty(&gemini.removed(&trusted).unwrap().unwrap()));
        let claude = client(Agent::Claude);
        assert_eq!(claude.added("", true).unwrap(), claude.added("", false).unwrap());
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
            assert!(client(agent).added(text, false).is_err(), "{text}");
        }
    }
}

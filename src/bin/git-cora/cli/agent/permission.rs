//! Entries in an agent's settings that allow our commands, so that it doesn't ask before each call.
//!
//! Pure: text → text; comments and order of a file stay. The tools of our server are allowed, since
//! they only read, and only the repository that the server was started for. A command is allowed
//! only where an agent can tell its harmless form: options can open connections (`--remote`,
//! `--store`), write a file (`--references`), or name another repository (`-C`, `--repo`), whose
//! settings may run programs.

use anyhow::Context as _;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject};
use serde_json::{Value, json};

use super::client::{edit, only_once, parse_json};

/// The entries of one settings file.
#[derive(Debug)]
pub(super) struct Permission {
    /// Keys of the objects around the entries, outermost first; the last one contains the entries.
    keys: &'static [&'static str],
    entries: Entries,
}

/// How a file lists what is allowed.
#[derive(Debug)]
enum Entries {
    /// As a list of strings.
    List(&'static [&'static str]),
    /// As keys with the value `true`.
    Keys(&'static [&'static str]),
}

/// Claude Code: `permissions.allow` (code.claude.com/docs/en/permissions). `mcp__cora` stands for
/// all tools of our server, which only read. A pattern for a command with arguments would
/// also fit `-C`.
pub(super) const CLAUDE: Permission = Permission {
    keys: &["permissions", "allow"],
    entries: Entries::List(&["mcp__cora", "Bash(git cora --help)"]),
};

/// VS Code: commands that its terminal tool runs without a question
/// (code.visualstudio.com/docs/copilot/agents/agent-tools). The tools of our server need none, as
/// they only read. The patterns fit whole commands without quotes or options that do more.
pub(super) const VSCODE: Permission = Permission {
    keys: &["chat.tools.terminal.autoApprove"],
    entries: Entries::Keys(&[
        "/^git cora (diff|explain|impact|list|log|map|refs|show)( (?!-\\w*C|--re[mpf]|--store|--out)[\\w.:\\/@^~=-]+)*$/",
        "/^git cora query( --format (paths|rag)| --tokens \\d+| -k \\d+)* '[^'-][^']*'$/",
    ]),
};

impl Permission {
    /// Returns the file's text with the entries; `None` if it has them.
    pub(super) fn added(&self, text: &str) -> anyhow::Result<Option<String>> {
        edit(text, |text| {
            let root = parse_json(text)?;
            let mut object = match root.value() {
                None => root.object_value_or_set(),
                Some(value) => value.as_object().context("it does not contain an object")?,
            };
            let (last, outer) = self.keys.split_last().context("a permission has a key")?;
            for key in outer {
                object = inner(&object, key)?;
            }
            let is_changed = match self.entries {
                Entries::List(entries) => append(&object, last, entries)?,
                Entries::Keys(entries) => set(&inner(&object, last)?, entries)?,
            };
            Ok(is_changed.then(|| root.to_string()))
        })
    }

    /// Returns the file's text without the entries; `None` if it has none of them.
    pub(super) fn removed(&self, text: &str) -> anyhow::Result<Option<String>> {
        edit(text, |text| {
            let root = parse_json(text)?;
            let Some((last, outer)) = self.keys.split_last() else { return Ok(None) };
            let object =
                outer.iter().try_fold(root.object_value(), |object, key| Some(object?.object_value(key)));
            let Some(object) = object.flatten() else { return Ok(None) };
            let mut is_changed = false;
            match self.entries {
                Entries::List(entries) => {
                    let elements = object.array_value(last).map(|list| list.elements()).unwrap_or_default();
                    for element in elements.into_iter().filter(|element| has(entries, element)) {
                        element.remove();
                        is_changed = true;
                    }
                }
                Entries::Keys(entries) => {
                    let object = object.object_value(last);
                    for entry in entries.iter().filter_map(|key| object.as_ref()?.get(key)) {
                        entry.remove();
                        is_changed = true;
                    }
                }
            }
            Ok(is_changed.then(|| root.to_string()))
        })
    }

    /// Whether a file with this text is empty: no comment, and no key but ours, without entries.
    pub(super) fn is_empty(&self, text: &str) -> bool {
        let nothing = match self.entries {
            Entries::List(_) => json!([]),
            Entries::Keys(_) => json!({}),
        };
        let object = self.keys.iter().rev().fold(nothing, |inner, key| json!({ *key: inner }));
        serde_json::from_str(text).is_ok_and(|value: Value| value == json!({}) || value == object)
    }
}

/// Returns the object under a key, and makes it if there is none.
fn inner(object: &CstObject, key: &str) -> anyhow::Result<CstObject> {
    only_once(object, key)?;
    match object.get(key) {
        None => Ok(object.object_value_or_set(key)),
        Some(found) => found.object_value().with_context(|| format!("'{key}' in it is not an object")),
    }
}

/// Appends the entries that a list lacks. Returns whether there were any.
fn append(object: &CstObject, key: &str, entries: &[&str]) -> anyhow::Result<bool> {
    only_once(object, key)?;
    let list = match object.get(key) {
        None => object.array_value_or_set(key),
        Some(found) => found.array_value().with_context(|| format!("'{key}' in it is not a list"))?,
    };
    let present: Vec<_> = list.elements().iter().filter_map(CstNode::to_serde_value).collect();
    let missing: Vec<_> = entries.iter().filter(|entry| !present.contains(&json!(entry))).collect();
    for entry in &missing {
        list.append(CstInputValue::String((**entry).to_owned()));
    }
    if present.is_empty() && !missing.is_empty() {
        list.ensure_multiline();
    }
    Ok(!missing.is_empty())
}

/// Sets the keys that an object lacks to `true`. Returns whether there were any. A key that is
/// there keeps its value.
fn set(object: &CstObject, keys: &[&str]) -> anyhow::Result<bool> {
    let mut is_changed = false;
    for key in keys {
        only_once(object, key)?;
        if object.get(key).is_none() {
            object.append(key, CstInputValue::Bool(true));
            is_changed = true;
        }
    }
    Ok(is_changed)
}

fn has(entries: &[&str], element: &CstNode) -> bool {
    element.to_serde_value().is_some_and(|value| entries.iter().any(|entry| value == *entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_join_what_is_there_and_leave_alone() {
        let old =
            "{\n  // ours\n  \"permissions\": {\"allow\": [\"Bash(ls)\"], \"deny\": [\"Read(.env)\"]},\n}\n";
        let new = CLAUDE.added(old).unwrap().unwrap();
        for kept in ["// ours", "\"Bash(ls)\"", "\"Read(.env)\"", "\"mcp__cora\""] {
            assert!(new.contains(kept), "{new}");
        }
        assert_eq!(CLAUDE.added(&new).unwrap(), None);
        let back = CLAUDE.removed(&new).unwrap().unwrap();
        assert!(!back.contains("cora") && back.contains("\"Bash(ls)\""), "{back}");
        assert_eq!(CLAUDE.removed(&back).unwrap(), None);
        for permission in [CLAUDE, VSCODE] {
            let new = permission.added("").unwrap().unwrap();
            let _: Value = serde_json::from_str(&new).unwrap();
            assert!(new.ends_with('\n') && !permission.is_empty(&new));
            assert_eq!(permission.added(&new).unwrap(), None);
            let back = permission.removed(&new).unwrap().unwrap();
            assert!(permission.is_empty(&back), "{back}");
        }
    }

    #[test]
    fn a_users_own_answer_stays() {
        let Entries::Keys([key, ..]) = VSCODE.entries else { panic!("they are keys") };
        let key = key.replace('\\', "\\\\");
        let old = format!("{{\"chat.tools.terminal.autoApprove\": {{\"{key}\": false}}}}");
        let new = VSCODE.added(&old).unwrap().unwrap();
        assert!(new.contains(&format!("\"{key}\": false")), "{new}");
    }

    #[test]
    fn what_can_not_be_read_is_not_touched() {
        for text in ["[]", "{", "{\"permissions\": 1}", "{\"permissions\": {\"allow\": {}}}"] {
            assert!(CLAUDE.added(text).is_err(), "{text}");
        }
        assert!(VSCODE.added("{\"chat.tools.terminal.autoApprove\": true}").is_err());
    }
}

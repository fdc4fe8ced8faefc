//! The files that belong to each agent, and our part of each.
//!
//! Owns the table of files ([`files`]). A [`AgentFile`] hides what our part is: an entry for the
//! server, a whole file, a block, or permissions. All are added to a text and removed from it.
//!
//! Where each agent looks, from its own documentation as of November 2026:
//!
//! - Claude Code: `.claude/skills/` (code.claude.com/docs/en/skills), permissions in
//!   `.claude/settings.json` (code.claude.com/docs/en/permissions).
//! - Codex: `.agents/skills/` (developers.openai.com/codex/skills). It gets no permissions: a rule
//!   in `.codex/rules/` would run our commands outside of its sandbox, with any option.
//! - Cursor: `.cursor/rules/` (cursor.com/docs/context/rules). It gets no permissions: a list in
//!   `.cursor/permissions.json` switches off the list in the user's settings
//!   (cursor.com/docs/reference/permissions).
//! - Gemini CLI: `.agents/skills/` (geminicli.com/docs/cli/skills), `trust` in the server's entry
//!   (geminicli.com/docs/tools/mcp-server). Its `tools.allowed` would forbid every other command,
//!   and policies of a project have no effect (geminicli.com/docs/reference/policy-engine).
//! - VS Code: `.agents/skills/` (code.visualstudio.com/docs/agent-customization/agent-skills),
//!   permissions in `.vscode/settings.json`.
//! - Zed: `.agents/skills/` (zed.dev/docs/ai/skills). A project can't permit tools: `agent` is a
//!   setting of the user (zed.dev/docs/ai/tool-permissions).
//! - Any other agent: `AGENTS.md` (agents.md).

use super::Agent;
use super::client::{CLIENTS, Client, NAME};
use super::document::{self, Document};
use super::permission::{self, Permission};

/// A file with a part of ours.
#[derive(Debug)]
pub(super) struct AgentFile {
    /// Path from the root of the work tree, with `/`.
    pub(super) path: &'static str,
    part: Part,
    /// The agents that read the part.
    agents: &'static [Agent],
}

/// What our part of a file is.
#[derive(Debug)]
enum Part {
    Server(&'static Client),
    Document(Document),
    Block,
    Permission(Permission),
}

/// The files that `--skill` adds to those of the servers.
const SKILL_FILES: [AgentFile; 6] = [
    AgentFile {
        path: ".claude/skills/git-cora/SKILL.md",
        part: Part::Document(Document::Skill),
        agents: &[Agent::Claude],
    },
    AgentFile {
        path: ".claude/settings.json",
        part: Part::Permission(permission::CLAUDE),
        agents: &[Agent::Claude],
    },
    AgentFile {
        path: ".agents/skills/git-cora/SKILL.md",
        part: Part::Document(Document::Skill),
        agents: &[Agent::Codex, Agent::Gemini, Agent::Vscode, Agent::Zed],
    },
    AgentFile {
        path: ".cursor/rules/git-cora.mdc",
        part: Part::Document(Document::CursorRule),
        agents: &[Agent::Cursor],
    },
    AgentFile {
        path: ".vscode/settings.json",
        part: Part::Permission(permission::VSCODE),
        agents: &[Agent::Vscode],
    },
    AgentFile { path: "AGENTS.md", part: Part::Block, agents: &[Agent::AgentsMd] },
];

/// Returns all files, in the order in which they are reported.
pub(super) fn files() -> impl Iterator<Item = AgentFile> {
    let servers = CLIENTS.iter().map(|client| AgentFile {
        path: client.file,
        part: Part::Server(client),
        agents: std::slice::from_ref(&client.agent),
    });
    servers.chain(SKILL_FILES)
}

impl AgentFile {
    /// Whether `init` writes the file for these agents. `AGENTS.md` is nothing but a skill.
    pub(super) fn is_for(&self, agents: &[Agent], with_skill: bool) -> bool {
        let is_asked = with_skill || matches!(self.part, Part::Server(_) | Part::Block);
        is_asked && self.agents.iter().any(|agent| agents.contains(agent))
    }

    /// Whether the file has only the entry of the server.
    pub(super) fn is_server(&self) -> bool {
        matches!(self.part, Part::Server(_))
    }

    /// Returns the file's text with our part; `None` if it has the part already. `current` is the
    /// text that is there now.
    ///
    /// # Errors
    /// The text can't be read, or is not ours to change.
    pub(super) fn added(
        &self,
        text: &str,
        current: Option<&str>,
        with_skill: bool,
    ) -> anyhow::Result<Option<String>> {
        match &self.part {
            Part::Server(client) => {
                client.added(text, with_skill || current.is_some_and(|text| client.is_trusted(text)))
            }
            Part::Document(document) => document.added(text),
            Part::Block => document::with_block(text),
            Part::Permission(permission) => permission.added(text),
        }
    }

    /// Returns the file's text without our part; `None` if it has none.
    ///
    /// # Errors
    /// The text can't be read.
    pub(super) fn removed(&self, text: &str) -> anyhow::Result<Option<String>> {
        match &self.part {
            Part::Server(client) => client.removed(text),
            Part::Document(_) => Ok(Document::removed(text)),
            Part::Block => document::without_block(text),
            Part::Permission(permission) => permission.removed(text),
        }
    }

    /// Whether nothing of the user is in a text without our part.
    pub(super) fn is_empty(&self, text: &str) -> bool {
        match &self.part {
            Part::Server(client) => client.is_empty(text),
            Part::Permission(permission) => permission.is_empty(text),
            Part::Document(_) | Part::Block => text.trim_matches('\u{feff}').trim().is_empty(),
        }
    }

    /// What a report calls our part.
    pub(super) fn part(&self) -> String {
        match &self.part {
            Part::Server(_) => format!("'{NAME}'"),
            Part::Permission(_) => "permissions".to_owned(),
            Part::Document(Document::Skill) => "a skill".to_owned(),
            Part::Document(Document::CursorRule) => "a rule".to_owned(),
            Part::Block => "a block".to_owned(),
        }
    }

    /// The next step for the user.
    pub(super) fn then(&self) -> Option<&'static str> {
        match &self.part {
            Part::Server(client) => Some(client.then),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_agent_has_a_text_and_every_path_is_named_once() {
        for agent in Agent::value_variants() {
            let of = |with_skill| files().filter(move |file| file.is_for(&[*agent], with_skill)).count();
            assert!(of(true) > of(false) || *agent == Agent::AgentsMd, "{agent:?}");
            assert!(of(false) == 1, "{agent:?}");
        }
        let mut paths: Vec<_> = files().map(|file| file.path).collect();
        let n = paths.len();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), n);
    }
}

//! Files of agents' clients: our entry goes into any text or it is refused. It is there afterwards,
//! and gone after its removal.
#![no_main]

use arbitrary::Arbitrary;
use git_cora_fuzz::{Edit, damage};
use libfuzzer_sys::fuzz_target;

#[allow(dead_code)]
#[path = "../../../src/bin/git-cora/cli/agent/client.rs"]
mod client;

use client::CLIENTS;

/// The agents, as `git cora init` names them.
#[allow(dead_code)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agent {
    Claude,
    Codex,
    Cursor,
    Gemini,
    Vscode,
    Zed,
}

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw { client: u8, text: &'a str },
    Damaged { client: u8, edits: Vec<Edit> },
}

/// A file with another server.
const JSON: &str =
    "{\n  // ours\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // keep\n  },\n  \"z\": 1\n}\n";
/// Likewise.
const TOML: &str = "# mine\nmodel = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"y\"\nargs = ['a', 1]\n";

fuzz_target!(|input: Input<'_>| match input {
    Input::Raw { client, text } => check(client, text),
    Input::Damaged { client, edits } => {
        let is_toml = CLIENTS[usize::from(client) % CLIENTS.len()].file.ends_with(".toml");
        let mut bytes = if is_toml { TOML } else { JSON }.as_bytes().to_vec();
        damage(&mut bytes, &edits);
        check(client, &String::from_utf8_lossy(&bytes));
    }
});

fn check(client: u8, text: &str) {
    let client = &CLIENTS[usize::from(client) % CLIENTS.len()];
    let _ = (client.removed(text), client.is_empty(text));
    let Ok(Some(added)) = client.added(text, false) else { return };
    let again = client.added(&added, false).expect("because our own text can be read");
    assert_eq!(again, None, "the entry in {added:?} is not recognised");
    let removed = client.removed(&added).expect("because our own text can be read");
    let removed = removed.expect("because the entry is there");
    assert_eq!(client.removed(&removed).expect("because our own text can be read"), None);
}

//! The beginning of a session: what the client can do, and what the server can.

use std::path::{Path, PathBuf};

use gen_lsp_types::{InitializeParams, TextDocumentSyncKind, WorkspaceFolders};
use serde::Deserialize;
use serde_json::{Value, json};

use super::failure::RequestError;
use super::folders::Folders;
use super::json::params;
use super::text::Encoding;
use super::{content, uri};

/// The options of the user.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// The revision that answers are from; `None` for the working tree.
    pub(crate) revision: Option<String>,
    /// Whether guesses are left out.
    pub(crate) certain_only: bool,
}

/// The `initializationOptions` of the client.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    revision: Option<String>,
    certain_only: Option<bool>,
}

/// What the client can do.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) encoding: Encoding,
    pub(super) has_progress: bool,
    pub(super) has_markdown: bool,
    pub(super) has_nested_symbols: bool,
}

/// A session that has begun.
pub(super) struct SessionStart {
    pub(super) client: Client,
    pub(super) folders: Folders,
    pub(super) reply: Value,
}

/// Begins a session; `directory` is the folder if the client names none.
pub(super) fn initialized(
    request: Value,
    directory: &Path,
    settings: &mut Settings,
) -> Result<SessionStart, RequestError> {
    // A damaged capability must not keep the user out, so these are read one by one.
    let capability =
        |path: &str| request.pointer(&format!("/capabilities/{path}")).cloned().unwrap_or_default();
    let is_set = |path: &str| capability(path) == Value::Bool(true);
    let encodings =
        serde_json::from_value::<Vec<_>>(capability("general/positionEncodings")).unwrap_or_default();
    let formats = capability("textDocument/hover/contentFormat");
    let client = Client {
        encoding: Encoding::choose(&encodings),
        has_progress: is_set("window/workDoneProgress"),
        has_markdown: formats.as_array().is_some_and(|all| all.iter().any(|one| one == "markdown")),
        has_nested_symbols: is_set("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
    };
    let folders = Folders::of(directories(&request, directory)?.into_iter());
    let options = request.get("initializationOptions").filter(|options| !options.is_null());
    if let Some(options) = options {
        let options: Options = params(options.clone())?;
        settings.revision = options.revision.filter(|one| !one.is_empty()).or(settings.revision.take());
        settings.certain_only = options.certain_only.unwrap_or(settings.certain_only);
    }
    let reply = json!({
        "capabilities": capabilities(client.encoding),
        "serverInfo": { "name": "git-cora", "version": env!("CARGO_PKG_VERSION") },
    });
    Ok(SessionStart { client, folders, reply })
}

/// Returns the folders that the client works in.
fn directories(request: &Value, directory: &Path) -> Result<Vec<PathBuf>, RequestError> {
    let own: InitializeParams = params(json!({
        "processId": null,
        "capabilities": {},
        "rootUri": request.get("rootUri"),
        "rootPath": request.get("rootPath"),
        "workspaceFolders": request.get("workspaceFolders"),
    }))?;
    let mut found: Vec<PathBuf> = Vec::new();
    let folders = own.workspace_folders_initialize_params.workspace_folders;
    if let Some(WorkspaceFolders::WorkspaceFolderList(folders)) = &folders {
        found.extend(Folders::directories(folders.iter().map(|folder| &folder.uri)));
    }
    #[allow(deprecated)] // Clients that know no folders give a root.
    if found.is_empty() {
        found.extend(Folders::directories(own.root_uri.iter()));
        let path = request.get("rootPath").and_then(Value::as_str).filter(|_| found.is_empty());
        found.extend(path.map(PathBuf::from).filter(|path| path.is_absolute()));
    }
    if found.is_empty() {
        found.push(directory.to_owned());
    }
    Ok(found)
}

fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": encoding.kind(),
        "textDocumentSync": {
            "openClose": true,
            "change": TextDocumentSyncKind::Incremental,
            "save": { "includeText": false },
        },
        "hoverProvider": true,
        "definitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "callHierarchyProvider": true,
        "executeCommandProvider": { "commands": [content::REVISION] },
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
            "textDocumentContent": { "schemes": [uri::SCHEME] },
        },
    })
}

//! Files of a commit, and the revision that answers are from.
//!
//! A client can't read a `git-cora:` address, so it asks for the text with the request
//! `workspace/textDocumentContent`, new in version 3.18 of the protocol. Older clients may send the
//! same request on their own.

use gen_lsp_types::{ExecuteCommandParams, TextDocumentContentParams, TextDocumentContentResult};
use serde_json::{Value, json};

use git_cora::Target;

use super::call::{Call, read};
use super::failure::RequestError;
use super::json::{params, value};

/// The command that changes the revision.
pub(super) const REVISION: &str = "git-cora.revision";

pub(super) fn text_document_content(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: TextDocumentContentParams = params(request)?;
    let not_there = || RequestError::params(format!("there is no text file '{}'", request.uri));
    let file = call.file(&request.uri)?.filter(|file| file.id.commit.is_some()).ok_or_else(not_there)?;
    let text = read(&file.kept, file.path.as_ref(), file.id.commit)?.ok_or_else(not_there)?;
    value(&TextDocumentContentResult { text })
}

/// Returns the revision that a command asks for, `None` for the working tree, and the reply.
pub(super) fn execute_command(
    call: &Call<'_>,
    request: Value,
) -> Result<(Option<String>, Value), RequestError> {
    let request: ExecuteCommandParams = params(request)?;
    if request.command != REVISION {
        return Err(RequestError::params(format!("unknown command '{}'; use '{REVISION}'", request.command)));
    }
    let revision = match request.arguments.unwrap_or_default().as_slice() {
        [] | [Value::Null] => None,
        [Value::String(revision)] if !revision.is_empty() => Some(revision.clone()),
        _ => {
            return Err(RequestError::params(format!(
                "'{REVISION}' takes one revision, or null for the working tree"
            )));
        }
    };
    let mut commits = Vec::new();
    let mut trouble = None;
    for root in call.folders.roots() {
        let Some(kept) = call.repository(&root)? else { continue };
        match kept.target(revision.as_deref()) {
            Ok((target, _)) => {
                let commit = match target {
                    Target::Commit(commit) => Some(commit.to_string()),
                    Target::Worktree => None,
                };
                commits.push(json!({ "repository": root.to_string_lossy(), "commit": commit }));
            }
            Err(error) => trouble = Some(error),
        }
    }
    match trouble {
        Some(error) if commits.is_empty() => Err(error.into()),
        _ => Ok((revision.clone(), json!({ "revision": revision, "commits": commits }))),
    }
}

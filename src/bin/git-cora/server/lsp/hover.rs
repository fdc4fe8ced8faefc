//! What an editor shows beside a name: its signature, its documentation, how often it is used, and
//! who changed it last.
//!
//! A guess says so in the first line. The last change is left out if Git does not know it within
//! [`BLAME`].

use std::fmt::Write as _;
use std::sync::mpsc;
use std::time::Duration;

use bstr::ByteSlice as _;
use gen_lsp_types::{Contents, Hover, HoverParams, MarkupContent, MarkupKind};
use serde_json::Value;

use git_cora::answer::Navigator;
use git_cora::answer::view::{counted, fence, labels, visible};
use git_cora::base::progress::Cancel;
use git_cora::base::text::head;
use git_cora::git::BlameCommit;
use git_cora::index::chunk::{Language, doc_text};

use super::call::{Call, OpenState};
use super::failure::RequestError;
use super::hierarchy::sureness;
use super::json::{params, value};
use super::navigate::at_name;

/// Longest time that Git may take to credit the lines.
const BLAME: Duration = Duration::from_millis(300);
/// Most bytes of a signature and of a documentation that are shown.
const SIGNATURE_BYTES: usize = 2000;
const DOC_BYTES: usize = 4000;

pub(super) fn hover(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: HoverParams = params(request)?;
    let Some(mut found) = at_name(call, &request.text_document_position_params)? else {
        return Ok(Value::Null);
    };
    let Some(target) = found.targets.first().cloned() else { return Ok(Value::Null) };
    let site = &target.site;
    let (signature, doc, references) = found.state.read(call, |searcher| {
        let index = searcher.index();
        let mut navigator = Navigator::new(searcher, &index);
        let text = navigator.text(site.path.as_ref());
        let text = text.as_deref().unwrap_or_default();
        let signature = match site.signature.of(text).trim() {
            "" => text
                .get(site.name_range.start as usize..)
                .and_then(|rest| rest.lines().next())
                .unwrap_or_default(),
            signature => signature,
        };
        let doc = doc_text(site.doc.of(text), &site.language);
        let references = navigator.all_references(site.at)?;
        Ok((clipped(signature, SIGNATURE_BYTES), clipped(doc.trim(), DOC_BYTES), references))
    })?;
    let n_guesses = references.iter().filter(|place| !place.certain).count();
    let kind = labels::declaration_kind(site.kind);
    let place = format!("{}:{}", site.path.to_str_lossy(), site.line);
    let mut facts = vec![format!("{kind} {} in {}", literal(&site.symbol), literal(&place))];
    let n = counted(references.len(), "reference", "references");
    facts.push(match n_guesses {
        0 => n,
        some => format!("{n} ({})", counted(some, "guess", "guesses")),
    });
    facts.extend(found.state.last_change(
        call,
        site.path.as_ref(),
        (site.span.start_line, site.span.end_line),
    ));
    if let Some(commit) = found.state.commit {
        facts.push(format!("at {}", commit.abbreviated(12)));
    }
    let mut text = String::new();
    let sure = sureness(target.certain, target.how, target.confidence);
    if !sure.is_empty() {
        let others = found.targets.len() - 1;
        let others = if others > 0 {
            format!("; {}", counted(others, "more candidate", "more candidates"))
        } else {
            String::new()
        };
        let _ = writeln!(text, "*{sure}{others}*\n");
    }
    let is_markdown = call.client.has_markdown;
    if is_markdown {
        let fence = fence(&signature);
        let _ = write!(text, "{fence}{}\n{signature}\n{fence}\n", info(&site.language));
    } else {
        text = text.replace('*', "");
        let _ = writeln!(text, "{signature}");
    }
    if !doc.is_empty() {
        let _ = write!(text, "\n{doc}\n");
    }
    let facts = facts.join(" · ");
    let _ = if is_markdown {
        write!(text, "\n---\n{facts}\n")
    } else {
        write!(text, "\n{}\n", facts.replace('`', ""))
    };
    let kind = if is_markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    value(&Hover {
        contents: Contents::MarkupContent(MarkupContent { kind, value: text }),
        range: found.range,
    })
}

/// Returns the name of a language as the word behind a fence; nothing for a name that no language
/// has.
fn info(language: &str) -> &'static str {
    Language::from_name(language).map_or("", Language::name)
}

/// Returns a text of the repository as code, so that nothing in it acts as markup: a link or a
/// picture in a subject would lead elsewhere.
fn literal(text: &str) -> String {
    format!("`{}`", visible(text).replace('`', "'"))
}

/// Returns the first bytes of a text, with a mark if that is not all.
fn clipped(text: &str, most: usize) -> String {
    let begin = head(text, most);
    if begin.len() < text.len() { format!("{begin}…") } else { text.to_owned() }
}

impl OpenState {
    /// Returns who changed lines last, and when; `None` if the file is not committed as it is, or
    /// Git takes too long.
    fn last_change(&self, call: &Call<'_>, path: &bstr::BStr, lines: (u32, u32)) -> Option<String> {
        let commit = self.searcher.commit()?;
        self.searcher.blob(path)?;
        let cancel = Cancel::default();
        let credited: Vec<BlameCommit> = std::thread::scope(|scope| {
            let (done, is_done) = mpsc::channel::<()>();
            let watch = &cancel;
            let stop = move || {
                let step = Duration::from_millis(20);
                let mut left = BLAME;
                while is_done.recv_timeout(step) == Err(mpsc::RecvTimeoutError::Timeout) {
                    left = left.saturating_sub(step);
                    if left.is_zero() || call.cancel.is_cancelled() {
                        watch.cancel();
                        return;
                    }
                }
            };
            std::thread::Builder::new().name("blame".to_owned()).spawn_scoped(scope, stop).ok()?;
            let credited = self.kept.session.repo().blame(commit, path, Some(lines), false, &cancel).ok();
            drop(done);
            credited
        })?;
        let last = credited.into_iter().max_by_key(|one| one.time_s)?;
        let day = git_cora::answer::day(&last);
        let (name, subject, id) = (literal(&last.name), literal(&last.subject), last.id.abbreviated(10));
        Some(format!("last changed {day} by {name}: {subject} ({id})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_repository_says_is_not_markup() {
        assert_eq!(literal("![x](http://a) `b`"), "`![x](http://a) 'b'`");
    }

    #[test]
    fn long_texts_are_clipped_at_a_character() {
        assert_eq!(clipped("abc", 3), "abc");
        assert_eq!(clipped("aéb", 2), "a…");
    }
}

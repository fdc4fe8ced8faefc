//! Views: search results → text for a reader.
//!
//! Owns [`Results`], the answer to a query with the source texts it refers to, and its renderings:
//!
//! - text for people,
//! - JSON for programs,
//! - `<cora:rag-result>` for language models,
//! - a brief view for coding agents,
//! - Markdown,
//! - paths for editors.
//!
//! It also owns [`Page`], a document about one file or symbol. A view never exceeds the [`Budget`]
//! it is given. It must not compute scores or read a repository.

pub mod labels;
pub mod theme;

mod brief;
mod budget;
mod comment;
mod forge;
mod highlight;
mod inline;
mod json;
mod lines;
mod markdown;
mod outline;
mod pack;
mod page;
mod paint;
mod passage;
mod paths;
mod pieces;
mod prose;
mod rag;
mod reduce;
mod tags;
mod terms;
mod text;

#[cfg(test)]
mod tests;

use crate::base::text::clean;
pub use crate::base::text::tokens::tokens;
pub use crate::base::text::{counted, example, hex, visible};
pub use brief::{BriefLimit, brief};
pub use budget::OMISSION;
pub use forge::{Forge, LinkLines, relative_link};
pub use highlight::{Class, highlight, highlight_file};
pub use inline::{code_span, escaped, fence};
pub use json::{OtherRepository, batch_error, batch_line, json, rounded_relevance, rounded_score};
pub use lines::{cut_lines, numbered};
pub use markdown::{markdown, references};
pub use outline::{
    EntryPoint, Folder, Introduction, Outline, OutlineItem, OutlineView, OutlinedFile, outline, outline_as,
    outline_in_colour, outline_limit,
};
pub use page::{Member, Page, PagePlace, RelatedItem, RelatedList, Subject, page};
pub use paint::Paint;
pub use paths::{files, n_unlisted, paths, seems_complete};
pub use pieces::{CodeLine, Piece, excerpts, lines};
pub use prose::head_comment;
pub use rag::rag;
pub use tags::Style;
pub use text::{TextStyle, entries, text};

use bstr::{BStr, BString, ByteSlice};

use crate::base::id::ObjectId;
use crate::index::chunk::{self, ByteRange, CellPlace, Document, Span};

/// The answer to one query, with everything that a view shows.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Results {
    /// The query, as the user wrote it.
    pub query: String,
    /// The revision, as the user wrote it (`HEAD` for the working tree).
    pub revision: String,
    /// The commit that was searched; `None` before the first commit.
    pub commit: Option<ObjectId>,
    /// Whether the working tree was searched: the commit plus uncommitted changes.
    pub worktree: bool,
    /// Origin and location of the repository, for models and answers from several repositories.
    pub repository: RepositoryInfo,
    /// Number of files in the working tree that differ from the commit.
    pub n_dirty: usize,
    /// Whether the query is mostly lines of source (a stack trace). Lines that the query names are
    /// then shown before results that are merely likely.
    pub is_lines: bool,
    /// Query words that occur nowhere, with the words that were searched in their place.
    pub near: Vec<NearWord>,
    /// Files of the working tree that could not be read or were left out of the search, each with
    /// the reason.
    pub warnings: Vec<String>,
    /// The results, best first.
    pub results: Vec<ResultItem>,
    /// Number of matching chunks beyond those in `results`.
    pub n_more: usize,
    /// The other repositories that were searched.
    pub others: Vec<SearchedRepository>,
    /// Whether the footer names each repository, because more than one could have been searched.
    pub is_named: bool,
    /// How well the best lexical result covers the query's words. Makes scores of several answers
    /// comparable.
    pub strength: f64,
    /// Whether the query asks for references. Results that have one then come first.
    pub asks_references: bool,
}

impl Results {
    /// Returns the repository that [`ResultItem::repository`] refers to; 0 is the first one.
    pub(super) fn searched(&self, repository: usize) -> SearchedRepository {
        let other = repository.checked_sub(1).and_then(|at| self.others.get(at));
        other.cloned().unwrap_or_else(|| SearchedRepository {
            repository: self.repository.clone(),
            revision: self.revision.clone(),
            commit: self.commit,
            worktree: self.worktree,
            n_dirty: self.n_dirty,
        })
    }
}

/// A searched repository at a revision.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SearchedRepository {
    /// Origin and location of the repository.
    pub repository: RepositoryInfo,
    /// The revision, as the user wrote it.
    pub revision: String,
    /// The commit that was searched; `None` before the first commit.
    pub commit: Option<ObjectId>,
    /// Whether the working tree was searched.
    pub worktree: bool,
    /// Number of files in the working tree that differ from the commit.
    pub n_dirty: usize,
}

/// How much is shown of something that the user asked for by name, as the budget allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InclusionDetail {
    /// The whole text.
    Whole,
    /// Only doc comment and signature.
    Signature,
}

/// The change of a place between two revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// It exists only in the second revision.
    Added,
    /// It exists in both, with different content.
    Changed,
    /// It exists in both with the same content, at different places.
    Moved,
    /// It exists only in the first revision.
    Removed,
}

impl Change {
    /// Returns `added`, `changed`, `moved` or `removed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Removed => "removed",
        }
    }
}

/// A query word that occurs nowhere, with its likely spellings.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct NearWord {
    /// The word, as the user wrote it.
    pub word: String,
    /// The indexed words with the closest spelling, most frequent first; empty if none is close.
    pub instead: Vec<String>,
}

impl Results {
    /// Returns the notes on what was not found: that no result answers clearly, and the words that
    /// occur nowhere.
    fn notes(&self) -> impl Iterator<Item = String> {
        self.unclear().map(str::to_owned).into_iter().chain(self.near_lines())
    }

    /// Returns the notes about words that occur nowhere.
    ///
    /// Each word with substitutes gets a line: `'retyr' is not in the index; searched for 'retry'
    /// and 'retire' instead`. All other words share one line, `not in the index: 'kubernetes' and
    /// 'ingress'`, which is left out if there are no results.
    fn near_lines(&self) -> impl Iterator<Item = String> {
        let (missing, replaced): (Vec<_>, Vec<_>) = self.near.iter().partition(|one| one.instead.is_empty());
        let missing = missing.into_iter().filter(|_| !self.results.is_empty()).map(|one| &one.word);
        let replaced = replaced.into_iter().filter_map(|one| {
            let instead = listed(&one.instead)?;
            Some(format!("'{}' is not in the index; searched for {instead} instead", clean::name(&one.word)))
        });
        replaced.chain(listed(missing).map(|words| format!("not in the index: {words}")))
    }

    /// Returns a note if results were found and even the most relevant one is probably not the
    /// answer.
    fn unclear(&self) -> Option<&'static str> {
        let found = self.results.iter().filter(|item| item.included.is_none());
        // One whose relevance is unknown may be the answer.
        let most = found.map(|item| item.relevance.unwrap_or(1.0)).reduce(f64::max)?;
        (most < UNCLEAR).then_some("no clear match; these are the nearest results")
    }
}

/// A first result of lower relevance is the answer in one of ten questions that the repository
/// answers, or less. See `doc/experiments/ranking.md`.
const UNCLEAR: f64 = 0.2;

/// Joins quoted words into a phrase; `None` if there are none.
fn listed<'w>(words: impl IntoIterator<Item = &'w String>) -> Option<String> {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("'{}'", clean::name(word))).collect();
    let (last, others) = quoted.split_last()?;
    Some(if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) })
}

/// Origin and location of a repository.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RepositoryInfo {
    /// URL of its `origin`, without credentials; empty if it has none.
    pub origin: String,
    /// Root of the work tree, or the git directory of a bare repository.
    pub path: String,
    /// Name of this host; empty if unknown.
    pub host: String,
}

/// A note about a chunk, written by a language model.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Commentary {
    /// The text: one paragraph on one line.
    pub text: String,
    /// The model, as `provider:model`.
    pub model: String,
}

impl Commentary {
    /// Returns the text, marked as generated.
    pub(super) fn marked(&self) -> String {
        format!("generated by {}: {}", self.model, self.text)
    }
}

/// One result: a chunk and what is known about it.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ResultItem {
    /// Rank, 1-based.
    pub rank: usize,
    /// Source path.
    pub path: BString,
    /// The chunk's bytes and lines in the file.
    pub span: Span,
    /// Number of file lines to show above and below the chunk, where they exist.
    pub around: usize,
    /// Symbol path of the declaration (`Class.method`); empty if there is none.
    pub symbol: String,
    /// `function`, `method`, … for a declaration; `head`, `group`, `section`, … for other chunks.
    pub kind: &'static str,
    /// Language name.
    pub language: String,
    /// Score; higher is better, comparable within one answer only.
    pub score: f64,
    /// The probability that the result is in a file that answers the query, from 0 to 1; comparable
    /// between answers. `None` for what was not searched for.
    pub relevance: Option<f64>,
    /// State in the working tree: `unmodified`, `modified`, `added`, `untracked`, `type-changed`,
    /// `conflicted`.
    pub git_status: &'static str,
    /// The source blob; `None` for content that is not committed.
    pub blob: Option<ObjectId>,
    /// The whole file's text, shared by all results of the file; `None` if it can't be read.
    pub text: Option<std::sync::Arc<str>>,
    /// The declarations inside or around the chunk, for elision.
    pub declarations: Vec<DeclarationItem>,
    /// The chunk's lines that the query names (`path:12`, a frame of a stack trace), in order.
    pub lines: Vec<u32>,
    /// Index into [`Self::declarations`] of the declaration that `symbol` names. Set only if the
    /// chunk has several declarations and the symbol is not its first.
    pub named: Option<usize>,
    /// The parts of the score; empty unless the caller asked for them.
    pub explanation: Vec<Contribution>,
    /// The rule that gave it another place than its score does. Only if the query asks for
    /// explanations.
    pub moved: Option<String>,
    /// The repository: 0 for the answer's own, otherwise an index into [`Results::others`] plus
    /// one.
    pub repository: usize,
    /// Location of that repository for people if the answer covers several; otherwise empty.
    pub checkout: String,
    /// How the chunk changed, if changes were searched.
    pub change: Option<Change>,
    /// How the chunk is related to what was asked for, on one line: `called by Session.open` if it
    /// is listed in addition to the search results, `refers to open` if referrers were asked for.
    pub relation: Option<String>,
    /// Set if the user asked for the chunk by name. Such a chunk comes first, whatever its score.
    pub included: Option<InclusionDetail>,
    /// A note written by a language model.
    pub commentary: Option<Commentary>,
    /// Other declarations of the file that answer nearly as well, best first, at most three.
    pub also: Vec<NearbyDeclaration>,
    /// Files that say nearly the same, by path: translations, other versions, copies in vendored
    /// code. They come last, or have no result. Only for the first result of a file.
    pub copies: Vec<BString>,
}

/// A declaration that is named beside a result of the same file.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct NearbyDeclaration {
    /// Line of its name, 1-based.
    pub line: u32,
    /// Symbol path of the declaration (`Class.method`).
    pub symbol: String,
    /// `function`, `method` and so on.
    pub kind: &'static str,
}

/// Most files that are named as copies of a result's file.
const MOST_COPIES: usize = 3;

impl ResultItem {
    /// Returns the other declarations that answer nearly as well, as one line without its end:
    /// `also here: 1329 compute_loss · 1725 Trainer.step`; `None` if there are none.
    ///
    /// A member of the same class as the result's own symbol is named without its class. A title or
    /// a key may itself hold a dot, so it is named in full.
    pub(super) fn also_line(&self) -> Option<String> {
        let owner = self.symbol.rfind('.').and_then(|at| self.symbol.get(..=at)).unwrap_or_default();
        let name = |one: &NearbyDeclaration| {
            let is_title = matches!(one.kind, "section" | "key");
            let short = one.symbol.strip_prefix(owner).filter(|_| !is_title);
            clean::name(short.unwrap_or(&one.symbol)).into_owned()
        };
        let each: Vec<String> = self.also.iter().map(|one| format!("{} {}", one.line, name(one))).collect();
        (!each.is_empty()).then(|| format!("also here: {}", each.join(" · ")))
    }

    /// Returns the files that say nearly the same, as one line without its end: `also in:
    /// docs/v1.6/manual.md · docs/v1.7/manual.md · 3 more`; `None` if there are none.
    pub(super) fn copies_line(&self) -> Option<String> {
        let mut named: Vec<String> =
            self.copies.iter().take(MOST_COPIES).map(|path| self.shown(path.as_bstr())).collect();
        let n_more = self.copies.len() - named.len();
        named.extend((n_more > 0).then(|| format!("{n_more} more")));
        (!named.is_empty()).then(|| format!("also in: {}", named.join(" · ")))
    }

    /// Returns the path on one line, cleaned: relative to its repository's root, with the location
    /// of that repository in front if `checkout` is set.
    pub(super) fn shown_path(&self) -> String {
        self.shown(self.path.as_bstr())
    }

    /// Returns a path of its repository in the same form.
    fn shown(&self, path: &BStr) -> String {
        if self.checkout.is_empty() {
            return clean::path(path);
        }
        clean::path([self.checkout.as_bytes(), b"/", path].concat().as_bstr())
    }

    /// Returns title, web address, id and time of the document that the chunk is a part of.
    ///
    /// Reads the document's own line or the head of the file. `None` if the chunk's document does
    /// not state them.
    pub fn document(&self) -> Option<Document> {
        chunk::document(&self.language, self.text.as_deref()?, self.span.bytes)
    }

    /// Returns the cell of a notebook that the chunk is in; `None` for any other file.
    pub fn cell(&self) -> Option<CellPlace> {
        chunk::cell_place(&self.language, self.text.as_deref()?, self.span.bytes)
    }

    /// Returns the cell and its lines in words: `cell 3, lines 1-12`; empty outside of notebooks.
    pub(super) fn cell_in_words(&self) -> String {
        self.cell().map_or(String::new(), |cell| {
            let lines = match cell.end_line - cell.start_line {
                0 => format!("line {}", cell.start_line),
                _ => format!("lines {}-{}", cell.start_line, cell.end_line),
            };
            format!("cell {}, {lines}", cell.number)
        })
    }

    /// Returns the cell, and the unusual parts of the chunk's state, in words (`modified`,
    /// `removed`); empty if there are none.
    pub(super) fn marks(&self) -> String {
        let cell = Some(self.cell_in_words()).filter(|cell| !cell.is_empty());
        let status = Some(self.git_status).filter(|status| *status != "unmodified");
        let included = self.included.map(|_| "included");
        let marks = [cell.as_deref(), included, status, self.change.map(Change::name)];
        marks.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// A declaration inside or around a result.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct DeclarationItem {
    /// Bare name.
    pub name: String,
    /// The whole declaration.
    pub span: Span,
    /// Line of its name, 1-based.
    pub name_line: u32,
    /// Bytes from the first token of the declaration itself up to its body.
    pub signature: ByteRange,
    /// Bytes of the body; empty if there is none.
    pub body: ByteRange,
    /// Bytes of the doc comment; empty if there is none.
    pub doc: ByteRange,
}

/// One part of a score.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Contribution {
    /// Name of the part.
    pub part: String,
    /// The amount it adds, or the factor it multiplies by.
    pub value: f64,
    /// The reason.
    pub detail: String,
}

/// A limit on the size of the output.
///
/// The limit is hard: no view exceeds it, whatever the results are. `Budget::default()` has no
/// limit. The whole output counts, including tags, headers, colours and the note about cut results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Maximum number of characters (Unicode scalar values).
    pub characters: Option<usize>,
    /// Maximum number of tokens, as [`tokens`] counts them.
    pub tokens: Option<usize>,
}

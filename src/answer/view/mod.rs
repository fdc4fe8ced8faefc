//! Views: what is found → what is read.
//!
//! Owns [`Results`], the answer to a query with the texts that it speaks of, and its renderings: text for people,
//! JSON for programs, `<cora:rag-result>` for language models, a brief one for coding agents, Markdown, and paths
//! for editors; and [`Page`], what is known of one place, as a document. It computes no scores, reads no repository, and keeps a budget that it was given.

pub mod labels;

mod brief;
mod budget;
mod comment;
mod forge;
mod highlight;
mod json;
mod lines;
mod markdown;
mod outline;
mod pack;
mod page;
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
pub use crate::base::text::{counted, visible};
pub use brief::{Most, brief};
pub use forge::{Forge, LinkLines, relative_link};
pub use highlight::{Class, highlight, highlight_file};
pub use json::{Other, batch_error, batch_line, json};
pub use lines::numbered;
pub use markdown::{markdown, references};
pub use outline::{Outline, OutlineItem, Outlined, OutlinedFile, outline, outline_as, outline_limit};
pub use page::{Member, Page, PagePlace, RelatedItem, RelatedList, Subject, page};
pub use paths::paths;
pub use pieces::{CodeLine, Piece, excerpts, lines};
pub use prose::head_comment;
pub use rag::rag;
pub use tags::Style;
pub use text::{TextStyle, entries, text};

use bstr::{BString, ByteSlice};

use crate::base::id::ObjectId;
use crate::index::chunk::{self, ByteRange, Document, Span};

/// The answer to one query, with everything that a view shows.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// The query as asked.
    pub query: String,
    /// The revision as asked (`HEAD` for the working tree).
    pub revision: String,
    /// The commit that was searched; `None` before the first commit.
    pub commit: Option<ObjectId>,
    /// Whether the working tree was searched: the commit and what differs from it.
    pub worktree: bool,
    /// Where the repository comes from and lies: for models and multi-repository answers.
    pub repository: RepositoryInfo,
    /// Number of files in the working tree that differ from the commit.
    pub n_dirty: usize,
    /// Whether the query is little more than lines of source (a stack trace): what it names is shown before there is more of
    /// what is only likely.
    pub is_lines: bool,
    /// Words of the query that occur nowhere, with what was looked for besides.
    pub near: Vec<NearWord>,
    /// Files of the working tree that could not be read or were left out of the search, with the reason.
    pub warnings: Vec<String>,
    /// Best first.
    pub results: Vec<ResultItem>,
    /// Matching chunks beyond those in `results`.
    pub n_more: usize,
    /// What else was searched: other repositories.
    pub others: Vec<Searched>,
    /// Whether the state of each repository is told by its name, as it has to be where there could be others.
    pub is_named: bool,
    /// How much the best result by words has of them: what makes scores of several answers comparable.
    pub strength: f64,
}

impl Results {
    /// What a result's [`ResultItem::repository`] stands for: 0 is the first.
    pub(super) fn searched(&self, repository: usize) -> Searched {
        let other = repository.checked_sub(1).and_then(|at| self.others.get(at));
        other.cloned().unwrap_or_else(|| Searched {
            repository: self.repository.clone(),
            revision: self.revision.clone(),
            commit: self.commit,
            worktree: self.worktree,
            n_dirty: self.n_dirty,
        })
    }
}

/// A repository at a revision.
#[derive(Debug, Clone, Default)]
pub struct Searched {
    /// Which.
    pub repository: RepositoryInfo,
    /// The revision as asked.
    pub revision: String,
    /// The commit that was searched; `None` before the first.
    pub commit: Option<ObjectId>,
    /// Whether the working tree was searched.
    pub worktree: bool,
    /// Number of files in the working tree that differ from the commit.
    pub n_dirty: usize,
}

/// How much of something that was asked for by name is shown, as the budget allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Included {
    /// All of it.
    Whole,
    /// Doc comment and signature.
    Signature,
}

/// What became of a place between two revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// It is only in the second.
    Added,
    /// It is in both, with other content.
    Changed,
    /// It is in both with the same content, elsewhere.
    Moved,
    /// It is only in the first.
    Removed,
}

impl Change {
    /// `added`, `changed`, `moved` or `removed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Removed => "removed",
        }
    }
}

/// A word that occurs nowhere, and what it may have been meant for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NearWord {
    /// As it was asked.
    pub word: String,
    /// The words that are spelled most like it, most frequent first; none where nothing is.
    pub instead: Vec<String>,
}

impl Results {
    /// What is said of words that occur nowhere: `no 'retyr'; also looked for 'retry' and 'retire'` for each that others stood
    /// in for, and one line for all the rest, `not in the index: 'kubernetes' and 'ingress'`, where anything is found without them.
    fn near_lines(&self) -> impl Iterator<Item = String> {
        let (missing, replaced): (Vec<_>, Vec<_>) = self.near.iter().partition(|one| one.instead.is_empty());
        let missing = missing.into_iter().filter(|_| !self.results.is_empty()).map(|one| &one.word);
        let replaced = replaced.into_iter().filter_map(|one| {
            let instead = listed(&one.instead)?;
            Some(format!("no '{}'; also looked for {instead}", clean::name(&one.word)))
        });
        replaced.chain(listed(missing).map(|words| format!("not in the index: {words}")))
    }
}

/// Words in quotes, in a sentence; `None` for none.
fn listed<'w>(words: impl IntoIterator<Item = &'w String>) -> Option<String> {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("'{}'", clean::name(word))).collect();
    let (last, others) = quoted.split_last()?;
    Some(if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) })
}

/// Where a repository comes from and lies.
#[derive(Debug, Clone, Default)]
pub struct RepositoryInfo {
    /// URL of its `origin`, without credentials; empty if it has none.
    pub origin: String,
    /// Root of the work tree, or the git directory of a bare repository.
    pub path: String,
    /// Name of this host; empty if unknown.
    pub host: String,
}

/// What a language model wrote about a chunk.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Commentary {
    /// One paragraph on one line.
    pub text: String,
    /// Which model, as `provider:model`.
    pub model: String,
}

impl Commentary {
    /// The text, marked as generated.
    pub(super) fn marked(&self) -> String {
        format!("generated by {}: {}", self.model, self.text)
    }
}

/// One chunk that was found.
#[derive(Debug, Clone)]
pub struct ResultItem {
    /// 1-based.
    pub rank: usize,
    /// Source path.
    pub path: BString,
    /// The chunk's place.
    pub span: Span,
    /// Lines of the file that are shown above and below it, as many as there are.
    pub around: usize,
    /// Symbol path of the declaration (`Class.method`); empty if there is none.
    pub symbol: String,
    /// `function`, `method`, … for a declaration; `head`, `group`, `section`, … for other chunks.
    pub kind: &'static str,
    /// Language name.
    pub language: String,
    /// Score; higher is better, comparable within one answer only.
    pub score: f64,
    /// State in the working tree: `unmodified`, `modified`, `added`, `untracked`, `type-changed`, `conflicted`.
    pub git_status: &'static str,
    /// The source blob; `None` for content that is not committed.
    pub blob: Option<ObjectId>,
    /// The whole file's text, shared by its results; `None` if it can't be read.
    pub text: Option<std::sync::Arc<str>>,
    /// The declarations that lie in or around the chunk: for elision.
    pub declarations: Vec<DeclarationItem>,
    /// The lines of it that the query names (`path:12`, a frame of a stack trace), in order.
    pub lines: Vec<u32>,
    /// Of a chunk of several declarations, where the symbol is not its first: which of [`Self::declarations`] the symbol names.
    pub named: Option<usize>,
    /// How the score came about, when asked for.
    pub explanation: Vec<Contribution>,
    /// Which of the repositories it lies in: 0 for that of the answer, else one of [`Results::others`] plus one.
    pub repository: usize,
    /// Where that lies, for people, if the answer is of several; otherwise empty.
    pub checkout: String,
    /// What became of it, where changes were searched.
    pub change: Option<Change>,
    /// Why it is there beside what was found, in one line: `called by Session.open`.
    pub relation: Option<String>,
    /// Whether it was asked for by name, and how much of it: it comes first, whatever its score.
    pub included: Option<Included>,
    /// What a language model wrote about it.
    pub commentary: Option<Commentary>,
}

impl ResultItem {
    /// The path on one line, cleaned; from the root of its repository, or with the place of that before it.
    pub(super) fn shown_path(&self) -> String {
        let path = clean::path(self.path.as_bstr());
        if self.checkout.is_empty() { path } else { format!("{}/{path}", clean::name(&self.checkout)) }
    }

    /// What the document that it is a part of says of itself: title, address on the web, id, time. `None` for anything
    /// but a document that says so. Reads the document's own line, or the head of the file.
    pub fn document(&self) -> Option<Document> {
        chunk::document(&self.language, self.text.as_deref()?, self.span.bytes)
    }

    /// What is special about its state, in words: `modified`, `removed`; empty if nothing is.
    pub(super) fn marks(&self) -> String {
        let status = Some(self.git_status).filter(|status| *status != "unmodified");
        let included = self.included.map(|_| "included");
        let marks = [included, status, self.change.map(Change::name)];
        marks.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// A declaration in or around a result.
#[derive(Debug, Clone)]
pub struct DeclarationItem {
    /// Bare name.
    pub name: String,
    /// The whole of it.
    pub span: Span,
    /// Line of its name, 1-based.
    pub name_line: u32,
    /// From its first own token to before its body.
    pub signature: ByteRange,
    /// Its body, or empty.
    pub body: ByteRange,
    /// Its doc comment, or empty.
    pub doc: ByteRange,
}

/// One part of a score.
#[derive(Debug, Clone)]
pub struct Contribution {
    /// Which part.
    pub part: String,
    /// What it adds, or multiplies by.
    pub value: f64,
    /// Why.
    pub detail: String,
}

/// How much may be printed.
///
/// A hard limit: no view passes it, whatever is found. `Budget::default()` is none. The whole output counts, tags,
/// headers, colours and the note about what was cut included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Most characters (Unicode scalar values) of output.
    pub characters: Option<usize>,
    /// Most tokens of output, counted by [`tokens`] (documented there).
    pub tokens: Option<usize>,
}

//! Code search for people and coding agents, with the index stored in the Git repository.
//!
//! [`Session`] is the entry point. It opens a repository, indexes commits and opens a
//! [`Searcher`]; its other calls take a request and return a result:
//!
//! | call | request | result |
//! |---|---|---|
//! | [`Session::answer`] | [`Query`] | [`Results`] |
//! | [`Session::relations`] | [`RelationQuery`] | [`Relations`] |
//! | [`Session::explain`] | [`ExplainQuery`] | [`Page`] |
//! | [`Session::map`] | [`MapQuery`] | [`Outline`] |
//! | [`Session::diff`] | two commits | [`Diff`] |
//! | [`Session::ask`] | a question, [`Limits`] | [`State`] with its [`Evidence`] |
//!
//! ```no_run
//! use git_cora::{Query, Session, Target, Task};
//!
//! let session = Session::open(std::path::Path::new("."))?;
//! let searcher = session.searcher(&Target::Worktree, Task::silent())?;
//! let query = Query::new("retry failed uploads").with_limit(5);
//! for result in session.answer(&searcher, &query, "HEAD")?.results {
//!     println!("{}:{} {}", result.path, result.span.start_line, result.symbol);
//! }
//! # Ok::<(), git_cora::SessionError>(())
//! ```
//!
//! `examples/` has small complete programs. All long calls take a [`Task`]: where the progress
//! goes, and the flag that stops the work.
//!
//! # Stability
//!
//! The items that this page lists are the public API and follow semantic versioning. Before 1.0, a
//! minor version may change them; the change log says how. Requests and results are
//! `#[non_exhaustive]`: a patch release may add fields. Build a request with `new` or `default` and
//! its `with_…` calls. Modules that this page does not list are public for the program and its
//! tests only, and may change at any time.
//!
//! The formats in the repository have versions of their own. An index of a newer version is
//! reported and never overwritten.
//!
//! # The map
//!
//! ```text
//! git ─▶ index: source ─▶ chunk ─▶ embed ─▶ record ─▶ refs
//!     ─▶ search: segment, graph ─▶ query ─▶ answer: results, view, ask
//! ```
//!
//! | stage | input → output |
//! |---|---|
//! | `git` | a repository → commits, trees, blobs, status; the only door to Git |
//! | `index` | bytes → chunks → records → refs of commits |
//! | `search` | records → one mapped segment → ranked chunks |
//! | `answer` | ranked chunks → results, relations, maps, pages, views, answers with sources |
//! | `provider` | outside models, paid or not, used only when a setting names them |
//! | `database` | many repositories in one PostgreSQL |
//! | `session` | the façade: opens a repository, reads its settings, connects the stages |
//!
//! `base` is the ground below them. The program (command line, hooks, watch, MCP, LSP, HTTP) is in
//! `src/bin/git-cora`; no stage can name it, print, or ask for a terminal.
//!
//! A stage may import the stages that its row names. A row with a slash is a folder inside a stage;
//! it lists what it may import of its own stage. `cargo xtask tidy` checks both:
//!
//! ```edges
//! base ->
//! base/config -> base
//! base/text ->
//! base/chat -> base base/config base/text
//!
//! git -> base
//! git/write -> git
//! git/lock -> git git/write
//! git/refs -> git git/lock git/write
//! git/worktree -> git
//! git/transfer -> git
//!
//! index -> base git
//! index/source ->
//! index/chunk ->
//! index/embed ->
//! index/record -> index/chunk index/embed index/source
//! index/check -> index index/chunk index/record index/source
//!
//! search -> base git index
//! search/segment ->
//! search/graph -> search/segment
//! search/commit_messages -> search/segment
//! search/query -> search/segment search/graph search/commit_messages
//! search/cache -> search search/segment search/commit_messages search/query
//!
//! provider -> base git index search
//! provider/http ->
//! provider/chat -> provider/http
//! provider/embedding -> provider/http
//! provider/sidecar -> provider provider/http provider/chat provider/embedding
//!
//! answer -> base git index search
//! answer/view ->
//! answer/introduction -> answer answer/view
//! answer/relations -> answer/view
//! answer/pairs -> answer answer/view
//! answer/history -> answer answer/pairs answer/view
//! answer/visibility -> answer
//! answer/navigation -> answer answer/relations
//! answer/appearance -> answer/history answer/view
//! answer/changelog -> answer answer/relations answer/history answer/view answer/visibility
//! answer/impact -> answer answer/relations answer/history answer/view
//! answer/ask -> answer/view
//!
//! database -> base git index search answer
//! session -> base git index search provider answer database
//! ```
//!
//! `database` imports `answer` because it ranks and labels candidates exactly as a repository does.
//!
//! # Architecture invariants
//!
//! - **The index is a function of the source tree.** The same bytes, language, options and version
//!   give the same record, byte for byte. A commit's index has the same object ids, whether it is
//!   built from scratch or from any earlier index, here or elsewhere. So it can be pushed without
//!   conflict, and anyone can check it (`index::Verifier`).
//! - **The answer does not depend on the cache.** Any base segment with its overlay ranks as a
//!   segment built from scratch would, to the last bit (`search::segment::Index`). The answer
//!   depends on the source at the commit and, for questions, on the messages of the commits before
//!   it, as far as the clone has them.
//! - **No source text is stored.** It is read from the source blob when it is shown.
//! - **Nothing is sent unasked.** Only `provider` and `database` open connections, and only to an
//!   address that the user names; `git` has Git open them. Vectors that a provider gave are stored
//!   in refs of their own, and no index depends on them.
//! - **Only `git` talks to Git**, and only refs under `refs/cora/` and `refs/cora-local/` are
//!   written, after their objects.
//! - **Bytes are hostile.** Every decoder is bounded and ends in a value or an error.
//!
//! # Words
//!
//! *Chunk*: a span of source that is found as one. *Section*: a part of a record. *Record*: what is
//! stored for one file. *Snapshot*: the index of one commit. *Segment*: records merged for
//! searching. *Overlay*: a segment in memory over a base. *Token*: a word as written; *term*: what
//! it becomes for searching. *Staging index*: Git's index, never called just "index" here. `…Ord`
//! is a dense position, `…Id` a hash.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests set up files and programs"))]

#[doc(hidden)]
pub mod answer;
#[doc(hidden)]
pub mod base;
#[cfg(feature = "postgres")]
#[doc(hidden)]
pub mod database;
#[doc(hidden)]
pub mod git;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod provider;
#[doc(hidden)]
pub mod search;
#[doc(hidden)]
pub mod session;

pub use answer::ask::{Aspect, Evidence, Limits, Part, Place as EvidencePlace, State, Step, Stop};
pub use answer::view::{
    Change, Commentary, Contribution, DeclarationItem, InclusionDetail, Member, NearWord, Outline,
    OutlineItem, Page, PagePlace, RelatedItem, RelatedList, RepositoryInfo, ResultItem, Results,
    SearchedRepository, Subject,
};
pub use answer::{
    DeclarationChange, DeclarationPlace, Diff, ExplainQuery, HistoryChange, MapQuery, Place, RelatedPlace,
    RelatedPlaces, Relation, RelationQuery, Relations, SymbolRelations, Visibility,
};
pub use base::error::{ClassifiedError, ErrorKind};
pub use base::id::ObjectId;
pub use base::progress::{Cancel, NoProgress, Progress, Task};
pub use index::chunk::{ByteRange, Span};
pub use index::{BuildReport, Snapshot, Work};
pub use search::query::{Filters, Query};
pub use search::{Remote, Searcher, Target};
pub use session::{Error as SessionError, Session};

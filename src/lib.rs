//! Code retrieval for people and coding agents, with the index inside the Git repository.
//!
//! # The map
//!
//! ```text
//! git ─▶ index: source ─▶ chunk ─▶ record ─▶ refs ─▶ search: segment, embed, graph ─▶ query ─▶ answer: results, view, ask
//! ```
//!
//! | stage | input → output |
//! |---|---|
//! | [`git`] | a repository → commits, trees, blobs, status; the only door to Git |
//! | [`index`] | bytes → chunks → records → refs of commits |
//! | [`mod@search`] | records → one mapped segment → ranked chunks |
//! | [`answer`] | ranked chunks → results, relations, maps, pages, views, answers with sources |
//! | [`provider`] | outside models, paid or not, used only when a setting names them |
//! | [`database`] | many repositories in one PostgreSQL |
//! | [`session`] | the façade: opens a repository, reads its settings, connects the stages |
//!
//! [`base`] is the ground below them. The program (command line, hooks, watch, MCP, HTTP) is in
//! `src/bin/git-cora`; no stage can name it, print, or ask for a terminal.
//!
//! A stage may import the stages that its row names. A row with a slash is a folder inside a stage; it lists what
//! it may import of its own stage. `cargo xtask tidy` checks both:
//!
//! ```edges
//! base ->
//! base/text ->
//! base/chat -> base base/text
//!
//! git -> base
//!
//! index -> base git
//! index/source ->
//! index/chunk ->
//! index/record -> index/chunk index/source
//!
//! search -> base git index
//! search/embed ->
//! search/segment -> search/embed
//! search/graph -> search/segment
//! search/commit_messages -> search/segment
//! search/query -> search/embed search/segment search/graph search/commit_messages
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
//! - **The index is a function of the source tree.** The same bytes, language, options and version give the same
//!   record, byte for byte. A commit's index has the same object ids from scratch, from any earlier index, here or
//!   elsewhere. So it can be pushed without conflict and checked by anyone (`index::Verifier`).
//! - **The answer does not depend on the cache.** Any base segment with its overlay ranks as a segment built from
//!   scratch would, to the last bit (`search::segment::Index`). The answer depends on the source at the commit
//!   and, for questions, on the messages of the commits before it, as far as the clone has them.
//! - **No source text is stored.** It is read from the source blob when it is shown.
//! - **Nothing is sent unasked.** Only `provider` and `database` open connections, and only to an address that the
//!   user names; `git` has Git open them. Vectors that a provider gave are stored in refs of their own, and no
//!   index depends on them.
//! - **Only `git` talks to Git**, and only refs under `refs/cora/` and `refs/cora-local/` are written, after their
//!   objects.
//! - **Bytes are hostile.** Every decoder is bounded and ends in a value or an error.
//!
//! # Words
//!
//! *Chunk*: a span of source that is found as one. *Section*: a part of a record. *Record*: what is stored for
//! one file. *Snapshot*: the index of one commit. *Segment*: records merged for searching. *Overlay*: a segment
//! in memory over a base. *Token*: a word as written; *term*: what it becomes for searching. *Staging index*:
//! Git's index, never called just "index" here. `…Ord` is a dense position, `…Id` a hash.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests set up files and programs"))]

pub mod answer;
pub mod base;
#[cfg(feature = "postgres")]
pub mod database;
pub mod git;
pub mod index;
pub mod provider;
pub mod search;
pub mod session;

pub use search::query::{Query, search};
pub use search::{Searcher, Target};
pub use session::{Error as SessionError, Session};

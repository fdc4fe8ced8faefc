//! Code retrieval for people and coding agents, with the index inside the Git repository.
//!
//! # The map
//!
//! ```text
//! repository ─▶ source ─▶ chunk ─▶ record ─▶ index ─▶ embed ─▶ segment ─▶ graph ─▶ query ─▶ view
//!  commits      which     spans &   types ↔   commit →  words →  records →  names →  words →  hits →
//!  trees        files,    symbols   bytes     records   vectors  one mapped what     ranked   what is
//!  refs         language  of a file           & refs             file       they mean hits    read
//! ```
//!
//! Each stage is a folder, a pure transformation where it can be. It may import the stages named in its row
//! here, and the ground (`id`, `config`, `error`, `identifier`, `progress`, `temporary`, `threads`, `tokens`), which imports
//! nothing of ours:
//!
//! ```edges
//! remote  ->
//! model   -> remote
//! repo    ->
//! source  -> repo
//! chunk   ->
//! embed   -> remote
//! record  -> chunk source
//! index   -> repo source chunk record
//! segment -> chunk embed record
//! graph   -> chunk segment
//! history -> repo segment
//! query   -> chunk embed segment graph history
//! vectors -> repo embed segment
//! commentary -> model remote repo
//! store   -> embed record segment query
//! view    -> chunk
//! ask     -> chunk remote model embed segment query view
//! names   -> chunk record query
//! session -> remote model repo source chunk embed record index segment graph history query vectors commentary store view ask names
//! ```
//!
//! Beside the pipeline, `remote` makes requests to providers of models, `model` asks language models, `vectors` keeps
//! what embedding models answer, `commentary` what language models write, `store` keeps many repositories in one
//! database, `history` reads what commits said of the files that they changed, and `ask` goes from a question to an answer with sources. `session` ties the stages together for the
//! surfaces. Those (`cli`, `hook`, `mcp`, `http`, `watch`, and `host`, which keeps repositories open for the two that
//! stay) belong to the binary, so that no stage can name them, print, or ask for a terminal.
//!
//! # Architecture invariants
//!
//! - **The index is a function of the source tree.** The same bytes, language, options and version give the same
//!   record, byte for byte; from scratch, from any earlier index, here or elsewhere, a commit's index has the
//!   same object ids. So it can be pushed without conflict and checked by anyone (`index::Verifier`).
//! - **The answer does not depend on the cache.** Any base segment with its overlay ranks as a segment built from
//!   scratch would, to the last bit (`crate::search::segment::Index`). It depends on the source at the commit and, for questions, on what the
//!   commits before it said, as far as the clone has them (`history`).
//! - **No source text is stored.** It is read from the source blob when it is shown.
//! - **Nothing is sent unasked.** `remote` and `store` alone open connections, for an address that the user names (and
//!   `repo` has Git open them); vectors that a provider gave lie in refs of their own (`vectors`), and no index depends
//!   on them.
//! - **Only `repo` talks to Git**, and only refs under `refs/cora/` and `refs/cora-local/` are written, after
//!   their objects.
//! - **Bytes are hostile.** Every decoder is bounded and ends in a value or an error.
//!
//! # Words
//!
//! *Chunk*: a span of source that is found as one. *Section*: a part of a record. *Record*: what is stored for
//! one file. *Snapshot*: the index of one commit. *Segment*: records merged for searching. *Overlay*: a segment
//! in memory over a base. *Token*: a word as written; *term*: what it becomes for searching. *Staging index*:
//! Git's index, never called so here. `…Ord` is a dense position, `…Id` a hash.

pub mod answer;
pub mod base;
#[cfg(feature = "postgres")]
pub mod database;
pub mod git;
pub mod index;
pub mod provider;
pub mod search;
pub mod session;

pub use search::Searchable;
pub use search::query::{Query, search};
pub use session::{Error as SessionError, Session, Target};

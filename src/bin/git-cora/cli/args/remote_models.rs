//! The commands of "Use remote models": `embed` and `annotate`.

use std::ffi::OsString;

use clap::ValueHint;

use super::flag::{DryRun, Json, json_of};

/// Compute vectors for a commit with a remote model.
///
/// Sends the text of the commit's indexed chunks to the model in `cora.embedder`, and stores the
/// vectors under `refs/cora/embeddings/<model>/<commit>`. Queries then use that model to search by
/// meaning. Without the setting nothing is sent anywhere.
///
/// Nothing is sent twice: vectors of other commits are reused, and what an interrupted run received
/// is kept. A run uses at most `cora.embedBudget` tokens; the next run continues. The model's API
/// key comes from the provider's environment variable (`VOYAGE_API_KEY`, `OPENAI_API_KEY`,
/// `TOGETHER_API_KEY`, `OLLAMA_API_KEY`, for others `CORA_EMBED_API_KEY`) or from `git credential`.
///
/// Vectors cost money and can't be reproduced, so they are never dropped automatically.
/// `git cora prune` keeps the newest of each model, and `git cora push --embeddings` shares them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git config cora.embedder voyage:voyage-code-3
  git cora embed --dry-run     # what it would send
  git cora embed
  git cora push --embeddings   # share the vectors")]
#[command(mut_args(json_of(
    "one object: `commit`, `model`, `address`, and numbers of files, texts and tokens",
)))]
pub(crate) struct Embed {
    /// The commit to embed; HEAD if none is given.
    #[arg(value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Send at most N tokens; 0 means no limit.
    ///
    /// Overrides `cora.embedBudget`.
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,

    /// Whether anything is sent.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Have a language model write commentary on a commit.
///
/// Sends the indexed chunks of the commit, each with its references, to the model in `cora.model`.
/// The model writes commentary: a short text on each chunk, which says what the chunk does and what
/// it is for. Commentary is stored under `refs/cora/commentary/<commit>`. Queries also
/// search the commentary. `--json`, `--format rag` and `git cora explain` show it, marked as
/// generated, with the model's name.
///
/// Before it sends anything, the command shows the number of chunks and tokens, and asks for
/// confirmation. A run uses at most `cora.annotateBudget` tokens; the next run continues. Chunks
/// that the model has described for any commit are not sent again. Source is sent as data between
/// two lines that contain its checksum, so text in the source can't imitate the end.
///
/// Commentary costs money and can't be reproduced: `git cora prune` keeps it, and `git cora push
/// --commentary` shares it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git config cora.model anthropic:claude-haiku-4-5
  git cora annotate --dry-run | head -1   # what it would send
  git cora annotate --path src
  git cora push --commentary              # share the commentary")]
#[command(mut_args(json_of(
    "one object: `commit`, `model`, `address`, and numbers of files, chunks and tokens",
)))]
pub(crate) struct Annotate {
    /// The commit to annotate; HEAD if none is given.
    #[arg(value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Only files that match the pathspec SPEC; may be repeated.
    ///
    /// Other files keep their commentary.
    #[arg(long, value_name = "SPEC", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<OsString>,

    /// Use at most N tokens, sent and received; 0 means no limit.
    ///
    /// Overrides `cora.annotateBudget`.
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,

    /// Send without asking.
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Each request is printed as a line of JSON.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

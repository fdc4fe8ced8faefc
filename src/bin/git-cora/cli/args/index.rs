//! The commands of "Index and share": `index`, `watch`, `push`, `fetch`, `verify`, `prune` and
//! `export`.

use std::num::NonZeroUsize;

use super::flag::{CommitRevision, DryRun, Json, json_of, positive};

const INDEX_EXAMPLES: &str = "Examples:
  git cora index                 # the current commit
  \
git cora index --branches      # every local branch
  git cora index v1.0..v2.0      # every \
commit of a range
  git cora index --force HEAD    # compute all of it again";

/// Index commits.
///
/// Stores an index of each named commit under `refs/cora/<commit>`. Records of unchanged files are
/// reused, so the next commit takes milliseconds. Commits between a named commit and its nearest
/// indexed ancestor are indexed too, at most `cora.fill` of them, so that a later push stays small.
///
/// You can interrupt the command at any point: no index is left incomplete. A commit that is
/// already indexed costs nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = INDEX_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `commits` (each with `commit` and `index`), `filled` (the commits \
    in between), and how many files, chunks and objects were stored. For the first index of a \
    repository, `holdings` has the numbers that `git cora stats` prints",
)))]
pub(crate) struct Index {
    /// The commits to index: revisions or ranges; HEAD if none is given.
    #[arg(value_name = "REV")]
    pub(crate) revs: Vec<String>,

    /// Index the tips of all branches, remote-tracking branches and tags.
    #[arg(long)]
    pub(crate) all: bool,

    /// Index the tips of all local branches.
    #[arg(long)]
    pub(crate) branches: bool,

    /// Index all tags that point to commits.
    #[arg(long)]
    pub(crate) tags: bool,

    /// Compute every record again instead of reusing stored ones.
    ///
    /// The result has the same object ids. `git cora verify` compares records without writing
    /// anything.
    #[arg(long)]
    pub(crate) force: bool,

    /// Also index at most N commits between a named commit and its nearest indexed ancestor.
    ///
    /// Overrides `cora.fill`; 0 indexes just the named commits.
    #[arg(long, value_name = "N")]
    pub(crate) max_fill: Option<usize>,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Recompute an index and compare it.
///
/// Recomputes records from the source and compares them, byte for byte, with the stored ones. If
/// they are equal, you can trust a fetched index. Otherwise the differences are listed, at most 20
/// for each index, and the exit status is 2.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora verify\n  git cora verify --sample 100 origin/main")]
#[command(mut_args(json_of("one object: `commits`, each with `checked` and `differences`",)))]
pub(crate) struct Verify {
    /// The indexed commit; HEAD if none is given.
    #[arg(value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Recompute N records, chosen at random, instead of every one.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) sample: Option<NonZeroUsize>,

    /// Verify every index of the repository.
    #[arg(long, conflicts_with = "rev")]
    pub(crate) all: bool,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Drop indexes that are no longer needed.
///
/// Keeps the indexes of branch tips (those of remotes too), of tags, and of the newest commits of
/// each branch. Also keeps those of the commits that are checked out, in all working trees of the
/// repository. Drops the refs of the others. A later `git gc` deletes the objects. A dropped index
/// costs only the time to build it again. Vectors of remote models are dropped with the indexes of
/// their commits. Computing vectors again costs money, so the newest vectors of each model are
/// kept. Refs below `refs/cora/` that can't be used, for example after a crash, are dropped too.
///
/// With `--remote` it deletes from a remote instead: the indexes, vectors and commentary of commits
/// that no branch or tag of the remote reaches. These are commits that were rewritten there, or
/// that were never public. Other refs, such as `refs/pull/*`, don't keep an index.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git cora prune --dry-run
  git cora prune --keep 20
  git cora prune --remote origin --dry-run    # what would be deleted there")]
#[command(mut_args(json_of(
    "one object: `kept`, `dropped` and more; with `--remote`, `kept`, `dropped` and \
    `rejected`",
)))]
pub(crate) struct Prune {
    /// Keep the indexes of the newest N commits of each branch, and of a detached HEAD.
    ///
    /// Overrides `cora.keep`. Tips, tags and commits that are checked out are kept even with 0.
    #[arg(long, value_name = "N")]
    pub(crate) keep: Option<usize>,

    /// Delete from REMOTE, by name or address, instead of from this repository.
    ///
    /// Without REMOTE, the remote that `git cora push` would choose is used. The remote can't
    /// restore what is deleted, so you must confirm. Fetch all branches and tags of the remote
    /// first, unless you use `--all`. If some are missing here, nothing is deleted, and the command
    /// that fetches them is printed.
    #[arg(long, value_name = "REMOTE", num_args = 0..=1, conflicts_with = "keep")]
    pub(crate) remote: Option<Option<String>>,

    /// Delete all indexes, vectors and commentary from the remote.
    #[arg(long, requires = "remote")]
    pub(crate) all: bool,

    /// Delete from the remote without asking.
    #[arg(long, requires = "remote")]
    pub(crate) yes: bool,

    /// Whether anything is done.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// What `git cora push` and `git cora fetch` move, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Transfer {
    /// The remote, by name or address. Without REMOTE, the remote that Git would choose is used.
    ///
    /// A push uses the first of `branch.<name>.pushRemote`, `remote.pushDefault` and
    /// `branch.<name>.remote` that is set. A fetch uses only the last of these. If none is set,
    /// both use `origin`, or the only remote.
    #[arg(value_name = "REMOTE")]
    pub(crate) remote: Option<String>,

    /// Transfer only the indexes of these commits; without REV, every index that can be
    /// transferred.
    #[arg(value_name = "REV")]
    pub(crate) revs: Vec<String>,

    /// Transfer the vectors of all remote models too.
    ///
    /// They are stored under `refs/cora/embeddings/`. If the two sides have different vectors for a
    /// commit, both keep their own. `cora.shareEmbeddings` makes this the default.
    #[arg(long)]
    pub(crate) embeddings: bool,

    /// Transfer the commentary of language models too.
    ///
    /// It is stored under `refs/cora/commentary/`. If the two sides have different commentary for a
    /// commit, both keep their own.
    #[arg(long)]
    pub(crate) commentary: bool,

    /// Whether anything is done.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,
}

/// Send indexes to a remote.
///
/// Sends the index (`refs/cora/<commit>`) of each commit that a branch or tag of the remote
/// contains. A branch or tag counts only if this repository has its commit. The other indexes stay
/// here, such as those of a private branch or of an amended commit. To send one of these, name its
/// commit. An index holds names and words from the files of the commit and of its first parent.
///
/// Only differences are sent. Indexing is reproducible: with the same version and settings, a
/// commit has the same index on every machine, so there is nothing to merge. The `pre-push` hook
/// runs as in any push. `git push origin 'refs/cora/*'` works too, but sends every local index.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora push\n  git cora push origin main v1.0")]
pub(crate) struct Push {
    /// What is sent where.
    #[command(flatten)]
    pub(crate) transfer: Transfer,
}

/// Get indexes from a remote.
///
/// Fetches the indexes (`refs/cora/<commit>`) of the commits that you name, or of all commits in
/// this repository, if the remote has them. A fetched index is usable immediately.
/// `git cora verify` checks that this machine would have computed the same index.
/// `git fetch origin 'refs/cora/*:refs/cora/*'` works too, but also fetches indexes of commits that
/// are not here.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora fetch\n  git cora fetch origin main v1.0")]
pub(crate) struct Fetch {
    /// What comes from where.
    #[command(flatten)]
    pub(crate) transfer: Transfer,
}

/// Write an index to a PostgreSQL database.
///
/// Use it for more repositories than one machine can hold. Each chunk becomes a row with its place,
/// symbol, vector and words, and `git cora query --store` searches all of them. The database needs
/// the extension pgvector. Unchanged files are not written again, and an interrupted export
/// continues. Names, words and paths are exported; source text only with `--with-text`.
///
/// Put the password into URL or `PGPASSWORD`; it is never shown. A connection to another machine is
/// encrypted, unless URL ends in `?sslmode=disable`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git cora export --to postgres://me@db.example.org/code\n  git cora query --store postgres://me@db.example.org/code retry"
)]
#[command(mut_args(json_of("one object: `repository`, `commit`, and numbers of files and chunks",)))]
pub(crate) struct Export {
    /// The database: `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE`.
    #[arg(long, value_name = "URL")]
    pub(crate) to: String,

    /// Name of the repository in the database; by default its remote's address, or its directory.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Which commit; HEAD if none is given.
    #[command(flatten)]
    pub(crate) revision: CommitRevision,

    /// Write the sources too.
    #[arg(long)]
    pub(crate) with_text: bool,

    /// Delete the repository's rows first.
    #[arg(long)]
    pub(crate) fresh: bool,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Keep searches fast while files and refs change.
///
/// Runs until Ctrl-C. It indexes HEAD whenever a ref moves, prepares searches of the new index, and
/// parses an edited file when it is saved. It reports on standard error. Without `git cora watch`,
/// queries give the same answers, but do this work themselves.
///
/// Only one `git cora watch` can run for a working tree. Ignored directories are not watched.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora watch\n  git cora watch --branches --quiet &")]
pub(crate) struct Watch {
    /// Index the tips of all local branches, not only HEAD.
    #[arg(long)]
    pub(crate) branches: bool,
}

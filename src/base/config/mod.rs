//! Settings: the `cora.*` keys of `git config`, and their meaning.
//!
//! Owns the table [`KEYS`], from which the reference `doc/config.md` is generated. `value` has the
//! types of values, and parses them. This module reads no file, no environment and no Git: `git`
//! looks a key up, and the caller parses the value.
//!
//! Settings that change records ([`Key::changes_records`]) are part of the index's manifest. The
//! others may differ between clones without changing an object id.

mod error;
mod value;

pub use error::ConfigError;
use value::bad;
pub use value::{
    Color, NeighbourSearch, Pager, parse_bool, parse_bytes, parse_color, parse_count, parse_neighbour_search,
    parse_pager,
};

/// The environment variable that disables the hooks if its value is `0`.
pub const ENV_SWITCH: &str = "CORA";

/// The type of a key's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `true` or `false`, or Git's other words for them; see [`parse_bool`].
    Bool,
    /// A whole number between two bounds, both included; see [`parse_count`].
    Count(u64, u64),
    /// A number of bytes between two bounds, both included, with an optional `k`, `m` or `g`; see
    /// [`parse_bytes`].
    Bytes(u64, u64),
    /// When to use colour; see [`parse_color`].
    Color,
    /// `true`, `false`, or a command; see [`parse_pager`].
    Pager,
    /// A method of vector search; see [`parse_neighbour_search`].
    NeighbourSearch,
    /// Any text; the key's documentation describes it.
    Text,
}

impl Kind {
    /// Returns the type's name in the reference and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "boolean",
            Self::Count(..) => "number",
            Self::Bytes(..) => "bytes",
            Self::Color => "auto, always or never",
            Self::Pager => "boolean or command",
            Self::NeighbourSearch => "scan, hnsw or auto",
            Self::Text => "text",
        }
    }

    /// Checks that `value` can be parsed as this type.
    ///
    /// # Errors
    /// [`ConfigError`] with the problem, naming `key`.
    pub fn check(self, key: &str, value: &str) -> Result<(), ConfigError> {
        match self {
            Self::Bool => parse_bool(key, value).map(drop),
            Self::Count(min, max) => parse_count(key, value, min, max).map(drop),
            Self::Bytes(min, max) => parse_bytes(key, value, min, max).map(drop),
            Self::Color => parse_color(key, value).map(drop),
            Self::Pager => parse_pager(key, value).map(drop),
            Self::NeighbourSearch => parse_neighbour_search(key, value).map(drop),
            Self::Text => Ok(()),
        }
    }
}

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The key's name for `git config`. Git ignores case in its first and last part.
    pub name: &'static str,
    /// The type of its value.
    pub kind: Kind,
    /// The default, written as a value; empty if another Git setting decides.
    pub default: &'static str,
    /// Whether the setting changes the records of an index. Indexes built with different values are
    /// different indexes.
    pub changes_records: bool,
    /// Description for the reference: sentences in Markdown.
    pub doc: &'static str,
}

impl Key {
    /// Returns `value` as a number for this key; without a value, the default.
    ///
    /// # Errors
    /// [`ConfigError`] if it is not a number, or out of the key's range.
    pub fn number(&self, value: Option<&str>) -> Result<u64, ConfigError> {
        let value = value.unwrap_or(self.default);
        match self.kind {
            Kind::Count(min, max) => parse_count(self.name, value, min, max),
            Kind::Bytes(min, max) => parse_bytes(self.name, value, min, max),
            _ => Err(bad(self.name, value, "a number")),
        }
    }
}

/// Number of commits per branch that stay indexed.
pub const KEEP: Key = Key {
    name: "cora.keep",
    kind: Kind::Count(1, 1_000_000),
    default: "200",
    changes_records: false,
    doc: "How many of the newest commits of each branch keep their indexes when `git cora prune` \
    runs. Branch tips, tags and commits that are checked out always keep them.",
};

/// Whether old indexes are pruned automatically.
pub const AUTO_PRUNE: Key = Key {
    name: "cora.autoPrune",
    kind: Kind::Bool,
    default: "true",
    changes_records: false,
    doc: "Whether indexing also prunes, from time to time, when there are more indexes than \
    `cora.keep`.",
};

/// Maximum bytes of one transfer from a remote repository.
pub const REMOTE_BYTES: Key = Key {
    name: "cora.remoteBytes",
    kind: Kind::Bytes(1 << 20, 1 << 40),
    default: "1g",
    changes_records: false,
    doc: "Limit on one transfer of `git cora query --remote`. In a partial clone, it also limits \
    the records of a fetched index.",
};

/// Maximum bytes of all copies of remote repositories.
pub const REMOTE_CACHE_BYTES: Key = Key {
    name: "cora.remoteCacheBytes",
    kind: Kind::Bytes(0, 1 << 40),
    default: "4g",
    changes_records: false,
    doc: "Limit on the copies that `git cora query --remote` keeps in the user's cache directory. \
    The least recently used are removed first.",
};

/// Target size of a chunk, in bytes.
pub const CHUNK_BYTES: Key = Key {
    name: "cora.chunkBytes",
    kind: Kind::Bytes(200, 64 << 10),
    default: "1500",
    changes_records: true,
    doc: "Approximate size of a chunk. Smaller parts of a file are grouped up to this size, and larger \
    parts are split.",
};

/// Size of a window in files without syntax, in tokens.
pub const WINDOW_TOKENS: Key = Key {
    name: "cora.windowTokens",
    kind: Kind::Count(32, 8192),
    default: "512",
    changes_records: true,
    doc: "Size of a window, in tokens. Files whose structure is not known are split into \
    overlapping windows.",
};

/// Overlap of neighbouring windows, in tokens.
pub const WINDOW_OVERLAP: Key = Key {
    name: "cora.windowOverlap",
    kind: Kind::Count(0, 4096),
    default: "64",
    changes_records: true,
    doc: "Number of tokens that a window shares with the previous window. It must be less than \
    `cora.windowTokens`.",
};

/// Size in bytes above which a file is skipped.
pub const MAX_FILE_BYTES: Key = Key {
    name: "cora.maxFileBytes",
    kind: Kind::Bytes(1 << 10, 1 << 30),
    default: "10m",
    changes_records: true,
    doc: "Larger files are skipped; `git cora stats --skipped` lists them.",
};

/// Maximum number of commits that are indexed behind a tip.
pub const FILL: Key = Key {
    name: "cora.fill",
    kind: Kind::Count(0, 100_000),
    default: "200",
    changes_records: false,
    doc: "When a commit is indexed, at most this many commits between it and its nearest indexed \
    ancestor are indexed too. Indexes without gaps keep pushes and fetches small.",
};

/// Number of threads.
pub const THREADS: Key = Key {
    name: "cora.threads",
    kind: Kind::Count(0, 1024),
    default: "0",
    changes_records: false,
    doc: "Number of threads for indexing and searching; 0 means one per core.",
};

/// Maximum size of the segment cache, in bytes.
pub const CACHE_BYTES: Key = Key {
    name: "cora.cacheBytes",
    kind: Kind::Bytes(0, 1 << 50),
    default: "2g",
    changes_records: false,
    doc: "Limit on the search caches in the Git directory (`.git/cora`). The least recently used are \
    removed first. The cache in use is always kept.",
};

/// Method of vector search in long-running processes.
pub const ANN: Key = Key {
    name: "cora.ann",
    kind: Kind::NeighbourSearch,
    default: "auto",
    changes_records: false,
    doc: "How `git cora serve` and `git cora mcp` search by meaning. `scan` compares all vectors, as \
    every other command does. `hnsw` uses a graph of nearest neighbours. The graph is built in the \
    background (about a second per thousand chunks) and cached. Until it is ready, vectors are \
    scanned. Results of the graph may differ a little from those of a scan. `auto` lets the \
    program choose. At present it always scans, which takes about a millisecond for 100,000 \
    chunks.",
};

/// Remote model for embeddings.
pub const EMBEDDER: Key = Key {
    name: "cora.embedder",
    kind: Kind::Text,
    default: "",
    changes_records: false,
    doc: "A remote model for search by meaning: `voyage:voyage-code-3`, `openai:text-embedding-3-small`, \
    `together:BAAI/bge-large-en-v1.5`, `ollama:MODEL`, `openai-compatible:URL` (with \
    `cora.embedModel`). `git cora embed` sends the text of indexed files to this model, and \
    questions are sent to it too. Without this setting nothing is sent to an embedding model. The \
    setting is ignored if it comes from a file in the working tree (through `include.path`).",
};

/// Address of the remote embedding model.
pub const EMBED_URL: Key = Key {
    name: "cora.embedUrl",
    kind: Kind::Text,
    default: "",
    changes_records: false,
    doc: "Address to use instead of the provider's own, for example a gateway or an Ollama server on \
    another machine. The setting is ignored if it comes from a file in the working tree.",
};

/// Embedding model on a server that is named by its address.
pub const EMBED_MODEL: Key = Key {
    name: "cora.embedModel",
    kind: Kind::Text,
    default: "",
    changes_records: false,
    doc: "Name of the model at `openai-compatible:URL`. Its vectors are stored under this name.",
};

/// Dimensions of remote embeddings.
pub const EMBED_DIMENSIONS: Key = Key {
    name: "cora.embedDimensions",
    kind: Kind::Count(0, 16_384),
    default: "0",
    changes_records: false,
    doc: "Number of dimensions to request, for remote models that can return shorter vectors; 0 means \
    all. Vectors of another length are stored separately.",
};

/// Maximum tokens of a text for the remote embedding model.
pub const EMBED_MAX_TOKENS: Key = Key {
    name: "cora.embedMaxTokens",
    kind: Kind::Count(0, 1 << 20),
    default: "0",
    changes_records: false,
    doc: "Maximum tokens of one text for the remote model; longer texts are cut. 0 means the \
    model's limit if it is known, otherwise 8192.",
};

/// Maximum tokens that one run of `embed` may spend.
pub const EMBED_BUDGET: Key = Key {
    name: "cora.embedBudget",
    kind: Kind::Count(0, 1 << 40),
    default: "10m",
    changes_records: false,
    doc: "Tokens that one run of `git cora embed` may send; 0 means no limit. The next run \
    continues.",
};

/// Language model that writes answers and annotations.
pub const MODEL: Key = Key {
    name: "cora.model",
    kind: Kind::Text,
    default: "",
    changes_records: false,
    doc: "A language model for `git cora ask` and `git cora annotate`: `anthropic:MODEL`, \
    `openai:MODEL`, `together:MODEL`, `ollama:MODEL`, `openai-compatible:URL` (with \
    `cora.modelName`). These commands send questions and source to the model. Without this setting \
    nothing is sent to a language model. The setting is ignored if it comes from a file in the \
    working tree (through `include.path`).",
};

/// Address of the language model.
pub const MODEL_URL: Key = Key {
    name: "cora.modelUrl",
    kind: Kind::Text,
    default: "",
    changes_records: false,
    doc: "Address to use instead of the provider's own, for example a gateway or an Ollama server on \
    another machine. The setting is ignored if it comes from a file in the working tree.",
};

/// Language model on a server that is named by its address.
pub const MODEL_NAME: Key = Key {
    name: "cora.modelName",
    kind: Kind::Text,
    default: "",
    changes_records: false,
    doc: "Name of the language model at `openai-compatible:URL`. Answers and commentary are \
    marked with this name.",
};

/// Maximum tokens of one answer.
pub const MODEL_MAX_TOKENS: Key = Key {
    name: "cora.modelMaxTokens",
    kind: Kind::Count(64, 1 << 20),
    default: "4096",
    changes_records: false,
    doc: "Maximum tokens of one reply of the language model, including its reasoning.",
};

/// Maximum tokens that one question may spend.
pub const ASK_BUDGET: Key = Key {
    name: "cora.askBudget",
    kind: Kind::Count(0, 1 << 40),
    default: "200k",
    changes_records: false,
    doc: "Tokens that one `git cora ask` may send to and receive from the language model; 0 means \
    no limit.",
};

/// Maximum number of calls for one question.
pub const ASK_CALLS: Key = Key {
    name: "cora.askCalls",
    kind: Kind::Count(0, 10_000),
    default: "20",
    changes_records: false,
    doc: "Calls to the language model that one `git cora ask` may make; 0 means no limit.",
};

/// Maximum tokens that one run of `annotate` may spend.
pub const ANNOTATE_BUDGET: Key = Key {
    name: "cora.annotateBudget",
    kind: Kind::Count(0, 1 << 40),
    default: "1m",
    changes_records: false,
    doc: "Tokens, sent and received, that one run of `git cora annotate` may use; 0 means no \
    limit. The next run continues.",
};

/// Whether embeddings of remote models are pushed and fetched with indexes.
pub const SHARE_EMBEDDINGS: Key = Key {
    name: "cora.shareEmbeddings",
    kind: Kind::Bool,
    default: "false",
    changes_records: false,
    doc: "Whether `git cora push` and `fetch` transfer the vectors of remote models too, as with \
    `--embeddings`.",
};

/// Time-out for model providers, in seconds.
pub const REMOTE_TIMEOUT: Key = Key {
    name: "cora.remoteTimeout",
    kind: Kind::Count(1, 3600),
    default: "60",
    changes_records: false,
    doc: "Seconds to wait for a reply of a remote model, or for the next part of a reply. A search waits \
    for an embedding model for at most ten seconds.",
};

/// When text is coloured.
pub const COLOR: Key = Key {
    name: "color.cora",
    kind: Kind::Color,
    default: "",
    changes_records: false,
    doc: "When to colour text. If it is not set, `color.ui` decides; `--color` overrides both.",
};

/// Pager for long text.
pub const PAGER: Key = Key {
    name: "pager.cora",
    kind: Kind::Pager,
    default: "",
    changes_records: false,
    doc: "Whether long text on a terminal goes through a pager, or which pager to run. If it is \
    not set, Git's choice of pager applies.",
};

/// All settings, in the order of the reference.
pub const KEYS: &[Key] = &[
    KEEP,
    AUTO_PRUNE,
    FILL,
    CHUNK_BYTES,
    WINDOW_TOKENS,
    WINDOW_OVERLAP,
    MAX_FILE_BYTES,
    THREADS,
    CACHE_BYTES,
    REMOTE_BYTES,
    REMOTE_CACHE_BYTES,
    ANN,
    EMBEDDER,
    EMBED_URL,
    EMBED_MODEL,
    EMBED_DIMENSIONS,
    EMBED_MAX_TOKENS,
    EMBED_BUDGET,
    SHARE_EMBEDDINGS,
    MODEL,
    MODEL_URL,
    MODEL_NAME,
    MODEL_MAX_TOKENS,
    ASK_BUDGET,
    ASK_CALLS,
    ANNOTATE_BUDGET,
    REMOTE_TIMEOUT,
    COLOR,
    PAGER,
];

/// Returns the key with this name. As in Git, case does not matter (keys have no middle part).
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_can_be_read() {
        for key in KEYS.iter().filter(|key| !key.default.is_empty()) {
            assert_eq!(key.kind.check(key.name, key.default), Ok(()), "{}", key.name);
        }
    }

    #[test]
    fn names_are_unique_and_found_in_any_case() {
        for (ord, one) in KEYS.iter().enumerate() {
            assert!(
                KEYS[..ord].iter().all(|other| !other.name.eq_ignore_ascii_case(one.name)),
                "{}",
                one.name
            );
            assert_eq!(key(&one.name.to_lowercase()), Some(one));
        }
        assert_eq!(key("cora.nothing"), None);
    }

    #[test]
    fn every_number_has_its_bounds() {
        let expected = [
            ("cora.keep", 1, 1_000_000, 200),
            ("cora.remoteBytes", 1 << 20, 1 << 40, 1 << 30),
            ("cora.remoteCacheBytes", 0, 1 << 40, 4 << 30),
            ("cora.chunkBytes", 200, 65_536, 1500),
            ("cora.windowTokens", 32, 8192, 512),
            ("cora.windowOverlap", 0, 4096, 64),
            ("cora.maxFileBytes", 1024, 1 << 30, 10 << 20),
            ("cora.fill", 0, 100_000, 200),
            ("cora.threads", 0, 1024, 0),
            ("cora.cacheBytes", 0, 1 << 50, 2 << 30),
            ("cora.embedDimensions", 0, 16_384, 0),
            ("cora.embedMaxTokens", 0, 1 << 20, 0),
            ("cora.embedBudget", 0, 1 << 40, 10 << 20),
            ("cora.modelMaxTokens", 64, 1 << 20, 4096),
            ("cora.askBudget", 0, 1 << 40, 200 << 10),
            ("cora.askCalls", 0, 10_000, 20),
            ("cora.annotateBudget", 0, 1 << 40, 1 << 20),
            ("cora.remoteTimeout", 1, 3600, 60),
        ];
        let is_number = |key: &&Key| matches!(key.kind, Kind::Count(..) | Kind::Bytes(..));
        assert_eq!(KEYS.iter().filter(is_number).count(), expected.len());
        for (name, min, max, default) in expected {
            let number = |value: u64| key(name).unwrap().number(Some(&value.to_string())).ok();
            assert_eq!(key(name).unwrap().number(None), Ok(default), "{name}");
            assert_eq!((number(min), number(max)), (Some(min), Some(max)), "{name}");
            assert_eq!(number(max + 1), None, "{name}");
            assert_eq!(min.checked_sub(1).and_then(number), None, "{name}");
        }
    }
}

//! The commands of "Search": `query` and `ask`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use crate::input::relevance;

use super::flag::{DryRun, FILTERS, Filter, Json, OUTPUT, RESULTS, SCOPE, Screen, json_of, positive};

const QUERY_EXAMPLES: &str = "\
Examples:
  git cora query parse the commit header
  git cora query '\"fn open(\" path:src/repo'   # exactly the quoted phrase
  git cora query --rev HEAD~20 --path 'src/*.rs' retry back-off
  git cora query --format rag --tokens 8000 \"$(cat issue.md)\"
  git cora query --rev v1.0..v1.1 retry         # only what changed between
  git cora query --remote https://example.org/lib.git retry   # without a clone
  git cora query --json -k 5 RefStore | jq -r '.results[].path'";

/// Search the working tree or a revision.
///
/// Searches by meaning, words, names of declarations, and paths. An identifier matches as a whole
/// and by its parts. TEXT may be a question, a name, a path, an error message with its stack trace,
/// or a whole issue. The filters `path:`, `lang:`, `kind:` and `symbol:` in TEXT narrow the search.
///
/// A phrase in double quotes must match exactly if it starts TEXT or is nearly all of it. Inside a
/// longer sentence, such as a pasted error message, quotes are ignored.
///
/// Results come best first. Each is a range of lines in one file, with the symbol that it belongs
/// to. A score orders the results of one query; scores of different queries can't be compared.
/// Lines are counted from 1. If nothing answers clearly, a note says so.
///
/// Usually a file appears once. `--all-chunks` shows all its matches. A question such as "what
/// calls parse_header" may show several references in one file. For a long text (an issue, a log, a
/// stack trace), several functions of a file may appear. The second and later ones are ranked a
/// little lower.
///
/// The working tree is searched by default, and files that differ from HEAD are marked with their
/// Git status. The exit status is 1 if nothing was found.
///
/// Meaning is compared by the built-in model. If `cora.embedder` names a remote model and `git cora
/// embed` has computed its vectors, the text of a question is sent to that model.
#[derive(Debug, clap::Args)]
// Other tools call it so; whoever types that gets there.
#[command(after_help = QUERY_EXAMPLES, aliases = ["search", "find", "grep"])]
#[command(mut_args(json_of(
    "one object: `query`, `commit`, `worktree`, `results` (each with its place, `symbol`, \
    `score` and `relevance`) and more, as documented in the JSON schema",
)))]
pub(crate) struct Query {
    /// What to search for; several words need no quotes, `-` reads standard input.
    #[arg(value_name = "TEXT", required_unless_present_any = ["batch", "messages"])]
    pub(crate) text: Vec<String>,

    /// Take the question from a chat: FILE holds its messages as JSON, `-` is standard input.
    ///
    /// A list of `{"role", "content"}` as in OpenAI's API, or an object with such a list as
    /// `messages`. The user's last message is the question, unless TEXT is given. Names, paths and
    /// code in earlier messages count too; the older a message is, the less it counts. System
    /// messages are ignored.
    #[arg(help_heading = SCOPE, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) messages: Option<PathBuf>,

    /// Search the repository that contains PATH, at revision REV, instead of the current one; may
    /// be repeated.
    ///
    /// Results of several repositories are merged by score. Each result shows its repository, and
    /// its references to and from other repositories. References that are only guesses are left
    /// out. Without REV the working tree is searched.
    #[arg(help_heading = SCOPE, long, value_name = "PATH[@REV]", conflicts_with_all = ["rev", "batch", "include"])]
    pub(crate) repo: Vec<String>,

    /// Search the repository at URL, without a clone of it.
    ///
    /// Fetches the index of the remote's HEAD, or of `--rev` (a branch, a tag, a full commit id,
    /// optionally with `~N`). Then fetches the sources that are shown. Git's settings for
    /// addresses, keys and proxies apply. Fetched objects are cached within
    /// `cora.remoteCacheBytes`. Nothing is indexed: if the remote has no index, run
    /// `git cora index` and `git cora push` in a clone.
    #[arg(help_heading = SCOPE, long, value_name = "URL", conflicts_with_all = ["repo", "batch", "no_worktree"])]
    pub(crate) remote: Option<String>,

    /// Delete the cached copy of the remote repository first.
    #[arg(help_heading = SCOPE, long, requires = "remote")]
    pub(crate) fresh: bool,

    /// Search the repositories that were exported to the database at URL.
    ///
    /// `postgres://USER@HOST/DATABASE`, as for `git cora export`. Searches all of them, or those
    /// given with `--repo`; the end of a name is enough, such as `flask` for
    /// `github.com/pallets/flask`. Results show source only if it was exported.
    #[arg(help_heading = SCOPE, long, value_name = "URL", conflicts_with_all = ["remote", "rev", "batch", "no_worktree", "include"])]
    pub(crate) store: Option<String>,

    /// Show FILE, or a declaration in it, before all results; may be repeated.
    ///
    /// NAME is a name, or a name with its qualifiers as `git cora list` prints it. `:signature` at
    /// the end shows only its doc comment and signature.
    #[arg(help_heading = RESULTS, long, value_name = "FILE[:NAME[:signature]]", conflicts_with = "batch")]
    pub(crate) include: Vec<String>,

    /// Multiply the scores of files that match the pathspec SPEC by FACTOR; may be repeated.
    ///
    /// `--boost 'src/net=2'`, `--boost '*.sql=0.5'`. FACTOR is from 0.01 to 100.
    #[arg(help_heading = FILTERS, long, value_name = "SPEC=FACTOR")]
    pub(crate) boost: Vec<String>,

    /// Leave out results whose relevance is below N, a number from 0 to 1.
    ///
    /// The relevance is the probability that a result is in a file that answers the question. It
    /// means the same for every question and repository: of results with 0.7, about seven in ten
    /// are right. `--json` and `--explain` show it.
    #[arg(help_heading = FILTERS, long, value_name = "N", value_parser = parsed_relevance)]
    pub(crate) min_score: Option<f64>,

    /// Search revision REV, or what changed in A..B or A...B.
    ///
    /// Without it, the working tree is searched. REV is anything that `git rev-parse` understands
    /// and that names a commit; a commit without an index is indexed first. A range A..B finds only
    /// what differs between the two. A...B finds what differs between B and the commit where B
    /// branched off from A. Each result is marked as added, changed, moved or removed. Removed code
    /// is shown as it was before.
    #[arg(help_heading = SCOPE, long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Search HEAD, not the working tree.
    ///
    /// Skips the check of the working tree's state: only the last commit is searched.
    #[arg(help_heading = SCOPE, long, conflicts_with = "rev")]
    pub(crate) no_worktree: bool,

    /// Return at most N results; `-n` means the same.
    ///
    /// The default is 10. With `--format rag` and a budget, the default is as many as fit, several
    /// per file.
    #[arg(help_heading = RESULTS, short = 'k', short_alias = 'n', long, value_name = "N", value_parser = positive)]
    pub(crate) limit: Option<NonZeroUsize>,

    /// Which files and declarations.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// Show only tests.
    #[arg(help_heading = FILTERS, long, overrides_with = "no_test")]
    pub(crate) test: bool,

    /// Leave out tests.
    #[arg(help_heading = FILTERS, long, overrides_with = "test")]
    pub(crate) no_test: bool,

    /// Return every chunk that matches, not just the best of each file.
    #[arg(help_heading = RESULTS, long)]
    pub(crate) all_chunks: bool,

    /// How to write the answer.
    ///
    /// The default is `text`.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<Format>,

    /// Write JSON instead of text.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) json: bool,

    /// Print only the paths of the files, best first: short for `--format files`.
    #[arg(help_heading = OUTPUT, short = 'l', long, alias = "name-only", conflicts_with_all = ["format", "json", "explain", "batch"])]
    pub(crate) files_with_matches: bool,

    /// With `--format markdown`, write the place of each numbered result to FILE.
    ///
    /// A JSON object: `{"1": {"path", "start_line", "end_line", "commit"}, …}`.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE", conflicts_with = "batch", value_hint = ValueHint::FilePath)]
    pub(crate) references: Option<PathBuf>,

    /// Which tags `--format rag` uses.
    #[arg(help_heading = OUTPUT, long, value_name = "DIALECT", value_enum, conflicts_with = "family")]
    pub(crate) dialect: Option<Dialect>,

    /// Write `--format rag` in the form that a model's vendor recommends.
    ///
    /// `claude`: each file is a `<document>`, and the question follows. `openai`: each chunk is a
    /// `<doc>`, with instructions before and after.
    #[arg(help_heading = OUTPUT, long, value_name = "FAMILY", value_enum)]
    pub(crate) family: Option<Family>,

    /// Keep the whole answer within N characters.
    ///
    /// The end of the answer says what was left out.
    #[arg(help_heading = OUTPUT, long, value_name = "N", value_parser = positive)]
    pub(crate) length: Option<NonZeroUsize>,

    /// Keep the whole answer within N tokens of a language model.
    ///
    /// Tokens are counted with the encoding `cl100k_base`; other models count slightly more or
    /// less. The end of the answer says what was left out. With `--length`, both limits apply.
    #[arg(help_heading = OUTPUT, long, value_name = "N", value_parser = positive)]
    pub(crate) tokens: Option<NonZeroUsize>,

    /// Show N more lines of the file before and after each result.
    ///
    /// Applies to text, rag and Markdown. A result that a budget reduces to its signature is shown
    /// without these lines.
    #[arg(help_heading = RESULTS, long, value_name = "N", default_value_t = 0)]
    pub(crate) context: usize,

    /// Show how each score is composed.
    ///
    /// Lists each contribution by name: words by field, declared names, paths, and what counts for
    /// or against the file. The contributions add up to the score. If a rule moved a result up or
    /// down, a line `order` names the rule.
    #[arg(help_heading = RESULTS, long)]
    pub(crate) explain: bool,

    /// Read queries as JSON lines from standard input, write answers as JSON lines.
    ///
    /// Each input line is `{"id", "query", "rev"?, "path"?, "k"?}`. Each output line has the id and
    /// what `--json` writes, or `{"id", "error"}` if that query failed; the others continue. `path`
    /// is a pathspec or a list of them, from the current directory. All queries run in one process,
    /// so only the first pays for opening the index. `--rev` and `-k` apply to lines without `rev`
    /// or `k`. The pathspecs of `--path` are added to those of each line.
    #[arg(help_heading = OUTPUT, long, conflicts_with_all = ["text", "format", "explain"])]
    pub(crate) batch: bool,

    /// How it is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

impl Query {
    /// How the answer is written.
    pub(crate) fn form(&self) -> Format {
        match self.format {
            _ if self.json => Format::Json,
            _ if self.files_with_matches => Format::Files,
            chosen => chosen.unwrap_or(Format::Text),
        }
    }
}

/// Answer a question, with sources.
///
/// Splits the question into parts, searches for each as `git cora query` does, and follows
/// references from the results. Shows the evidence part by part, each place with a number.
///
/// If `cora.model` names a language model, the model splits the question, judges after each step
/// what is missing, requests further searches, and writes the answer. The question and the evidence
/// are sent to the model. Without the setting nothing is sent to a language model. A citation `[n]`
/// of a source that does not exist is removed and reported; a sentence without a citation is marked
/// `[?]`.
///
/// The model's API key comes from the provider's environment variable (`ANTHROPIC_API_KEY`,
/// `OPENAI_API_KEY`, `TOGETHER_API_KEY`, `OLLAMA_API_KEY`, for others `CORA_MODEL_API_KEY`) or from
/// `git credential`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git cora ask 'how are tokens refreshed, and who evicts the session cache?'
  git config cora.model anthropic:MODEL
  git cora ask --dry-run 'how are retries bounded?'   # what would be sent
  git cora ask --trace t.json 'how are retries bounded?'
  git cora ask --resume t.json                        # sends no request twice")]
#[command(mut_args(json_of(
    "one object: `question`, `answer`, `references` (each with `number` and place), \
    `parts`, `steps` and numbers of calls and tokens",
)))]
pub(crate) struct Ask {
    /// The question; several words need no quotes, `-` reads standard input.
    #[arg(value_name = "QUESTION", required_unless_present = "resume")]
    pub(crate) question: Vec<String>,

    /// Use revision REV instead of the working tree.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Use HEAD instead of the working tree.
    #[arg(long, conflicts_with = "rev")]
    pub(crate) no_worktree: bool,

    /// Which files and declarations.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// Use no language model: show the evidence.
    #[arg(long)]
    pub(crate) extractive: bool,

    /// Search in at most N steps.
    #[arg(long, value_name = "N", default_value = "6", value_parser = positive)]
    pub(crate) steps: NonZeroUsize,

    /// Show, or send, at most N tokens of evidence.
    #[arg(long, value_name = "N", default_value = "6000", value_parser = positive)]
    pub(crate) tokens: NonZeroUsize,

    /// Use at most N tokens of the model; 0 means no limit.
    ///
    /// Overrides `cora.askBudget`. When the budget is used up, the evidence is shown instead.
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,

    /// Record questions, results and replies as JSON lines in FILE. FILE must not exist yet.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trace: Option<PathBuf>,

    /// Continue from a trace; replies in it are not requested again.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "trace")]
    pub(crate) resume: Option<PathBuf>,

    /// Also print what the model is shown.
    #[arg(long)]
    pub(crate) show_context: bool,

    /// Whether anything is sent.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,

    /// How the answer is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: place, symbol and highlighted code.
    Text,
    /// One object, as documented in the JSON schema.
    Json,
    /// A `<cora:rag-result>` view for a language model.
    Rag,
    /// One `path:line: symbol` per line, best first; for quoted text, also the text of the line.
    Paths,
    /// One path per line, best first.
    Files,
    /// Headings and fenced code.
    Markdown,
}

/// Tags of the view for language models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    /// `<cora:rag-result>`: files with their chunks.
    Cora,
    /// `<codeRag:rag-result>`: chunks, each with file, lines and character offsets.
    #[value(name = "coderag")]
    CodeRag,
}

/// A family of language models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Family {
    /// Anthropic's.
    Claude,
    /// OpenAI's.
    #[value(name = "openai")]
    OpenAi,
}

/// Parses a relevance.
fn parsed_relevance(text: &str) -> Result<f64, String> {
    relevance::checked(text.parse().unwrap_or(f64::NAN))
}

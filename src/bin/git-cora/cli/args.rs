//! The command line, defined once: the parser, `-h` and `--help`, the man pages, the shell
//! completions and the command reference are all made from these types.
//!
//! Owns the syntax of the command line; each command's own module owns the meaning. It depends on
//! clap and the standard library only, because `xtask` includes this very file to generate the
//! documents. So it can't name types of the library, and kinds and languages are strings, not
//! enums.
//!
//! A flag that several commands share is defined once, in a struct that those commands flatten.
//! Revisions are `String`s, as Git's own porcelain prints them; paths are `OsString`s, since a path
//! need not be UTF-8.
//!
//! Users read the doc comments: the first paragraph is the one-line help, and the rest appears in
//! `--help` and the man page. They are plain text with `back quotes` around what can be typed.
//!
//! Longer than 600 lines because most of it is help text, and because one place to look
//! a flag up is worth more than short files.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, Styles};
use clap::{ArgAction, Parser, Subcommand, ValueEnum, ValueHint};

/// The kinds that `--kind` accepts: a declaration's kind, or a chunk's if it belongs to no
/// declaration.
pub(crate) const KINDS: &[&str] = &[
    "function",
    "method",
    "constructor",
    "class",
    "struct",
    "interface",
    "enum",
    "variant",
    "union",
    "type",
    "implementation",
    "module",
    "constant",
    "variable",
    "field",
    "macro",
    "test",
    "section",
    "key",
    "rule",
    "table",
    "element",
    "head",
    "group",
    "code",
    "data",
    "window",
];

/// Parses a number from 1.
fn positive(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "a number from 1 on is wanted".to_owned())
}

/// Heading of the flags that every command has, to separate them from a command's own flags.
const GENERAL: &str = "General options";

const AFTER_HELP: &str = "\
Examples:
  git cora init                                # index from now on, after every commit
  git cora query where are tokens refreshed    # search the working tree
  git cora query --rev v1.2 --lang go retry    # search a release, indexed or not
  git cora push                                # share the index with the remote

Exit status: 0 found, 1 nothing found, 2 usage or error, 128 not in a repository";

const QUERY_EXAMPLES: &str = "\
Examples:
  git cora query parse the commit header
  git cora query '\"fn open(\" path:src/repo'       # quoted text is exact
  git cora query --rev HEAD~20 --path 'src/*.rs' retry back-off
  git cora query --format rag --tokens 8000 \"$(cat issue.md)\"
  git cora query --rev v1.0..v1.1 retry             # only what changed between
  git cora query --remote https://example.org/lib.git retry   # without a clone
  git cora query --json -k 5 RefStore | jq -r '.results[].path'";

const INDEX_EXAMPLES: &str = "\
Examples:
  git cora index                 # the current commit
  git cora index --branches      # every local branch
  git cora index v1.0..v2.0      # every commit of a range
  git cora index --force HEAD    # compute all of it anew";

const REFS_EXAMPLES: &str = "Examples:
  git cora refs index_commit                        # who calls it, what it calls
  git cora refs Session.answer --callers --depth 2
  git cora refs Progress --implementers
  git cora refs src/index/build.rs:120 --callees --certain --json
  git cora refs Flask --repo . --repo ../flask      # which is declared there, and used here";
const RELATED_EXAMPLES: &str = "Examples:
  git cora related src/index/build.rs:120
  git cora related --rev v1.0 --json lib/retry.py:33
  git cora related src/flask/app.py:81 --repo ../flask --repo ../shop  # what of the shop uses it, too";
const EXPLAIN_EXAMPLES: &str = "\
Examples:
  git cora explain src/index/build.rs
  git cora explain src/session.rs:Session.answer --rev v1.0
  git cora explain RefStore --permalinks > refs.md
  git cora explain 'doc/guide.md:Set-up' --tokens 1000";

const MAP_EXAMPLES: &str = "\
Examples:
  git cora map                                # what this repository hangs on
  git cora map --tokens 4000 --path src
  git cora map retry failed uploads           # for a question
  git cora map --file src/net/client.rs       # around the file at hand
  git cora map --rev v1.0 --json - <issue.md";

const LIST_EXAMPLES: &str = "\
Examples:
  git cora list 'parse_*'                  # by name
  git cora list --kind method --path src   # by kind and place
  git cora list --rev v1.0 --json          # of a release, for a script";

const DIFF_EXAMPLES: &str = "\
Examples:
  git cora diff v1.0 v1.1            # between two releases
  git cora diff main..topic -- src   # in one directory
  git cora diff --kind function --json HEAD~5";

const INIT_EXAMPLES: &str = "\
Examples:
  git cora init --dry-run
  git cora init
  git cora init --agent claude,cursor   # let these agents search with 'git cora mcp'";

const MCP_EXAMPLES: &str = "\
Examples:
  git cora init --agent claude                   # write the client's configuration
  claude mcp add cora -- git-cora mcp            # or let the client do it
  claude mcp add cora -- git-cora mcp . ../library   # two repositories that belong together
  npx @modelcontextprotocol/inspector git-cora mcp   # try it by hand";

const SERVE_EXAMPLES: &str = "\
Examples:
  git cora serve --open                         # the current repository, in a browser
  git cora serve --root ~/src --listen 127.0.0.1:9000
  curl -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\
    -d '{\"messages\": [{\"role\": \"user\", \"content\": \"where is the retry?\"}], \"repos\": [{}]}' \\
    http://127.0.0.1:8417/coderag/query";

const SHOW_EXAMPLES: &str = "\
Examples:
  git cora show src/bin/git-cora/main.rs
  git cora show v1.0:src/bin/git-cora/main.rs --chunk 3";

/// Code retrieval with its index inside the Git repository.
///
/// `git cora` finds the places in a repository that answer a question: by words, by names and by paths, at any
/// commit and in the working tree. The index of a commit lies in the repository itself, under
/// `refs/cora/<commit>`: unchanged files are never indexed twice, linked worktrees share it, `git cora push` and
/// `git cora fetch` hand it to others, and deleting it loses nothing but time.
///
/// Start with `git cora init`, or just ask: `git cora query TEXT` indexes what is missing on the way.
///
/// The exit status is 0 if something was found or done, 1 if nothing was found, 2 for a usage error or a
/// failure, and 128 outside a Git repository.
///
/// The environment variable `CORA=0` makes the hooks do nothing; settings are `cora.*` keys of `git config`.
#[derive(Debug, Parser)]
#[command(
    name = "git-cora",
    bin_name = "git cora",
    version,
    after_help = AFTER_HELP,
    max_term_width = 100,
    styles = Styles::plain(),
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Args {
    /// What every command accepts.
    #[command(flatten)]
    pub(crate) global: Global,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags that every command accepts.
#[derive(Debug, clap::Args)]
pub(crate) struct Global {
    /// Run as if started in DIR.
    ///
    /// Like `git -C`: relative paths that follow are read from DIR.
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = GENERAL, value_hint = ValueHint::DirPath)]
    pub(crate) directory: Option<PathBuf>,

    /// Print nothing but results and errors.
    ///
    /// Turns off progress, notes and hints.
    #[arg(short, long, global = true, help_heading = GENERAL, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say more about what is done, and how long it took.
    ///
    /// The notes go to standard error, so that results can still be piped.
    #[arg(short, long, global = true, help_heading = GENERAL, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// The commands. Each is documented at its struct: a comment here would replace that in the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(Init),
    Uninstall(Uninstall),
    Index(Index),
    Query(Query),
    Ask(Ask),
    Stats(Stats),
    List(List),
    Refs(Refs),
    Related(Related),
    Map(Map),
    Explain(Explain),
    Show(Show),
    Diff(Diff),
    Verify(Verify),
    Prune(Prune),
    Push(Push),
    Fetch(Fetch),
    Embed(Embed),
    Annotate(Annotate),
    Export(Export),
    Doctor(Doctor),
    Mcp(Mcp),
    Serve(Serve),
    Watch(Watch),
    #[command(hide = true)]
    Hook(Hook),
}

/// `--json`, for the commands that write a report.
#[derive(Debug, clap::Args)]
pub(crate) struct Json {
    /// Write JSON instead of text.
    ///
    /// One object on standard output (`list` writes one for each declaration, a line each), UTF-8, with a final line feed.
    /// Fields may be added later; none changes its meaning.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `--dry-run`, for the commands that change the repository or a remote.
#[derive(Debug, clap::Args)]
pub(crate) struct DryRun {
    /// Say what would be done, and do nothing.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
}

/// Which revision is looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct Revision {
    /// Look at revision REV.
    ///
    /// Without it, the working tree is looked at, by `show` and `stats` the index of HEAD. REV is
    /// anything that `git rev-parse` understands and that names a commit. One that is not indexed yet is indexed
    /// on the way, from whatever is known of other commits.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
}

/// Which files and declarations are looked at. Filters of different kinds must all hold; of several values for
/// one kind, any.
#[derive(Debug, clap::Args)]
pub(crate) struct Filter {
    /// Only files that match the pathspec SPEC; may be repeated.
    ///
    /// Git's own pathspecs, from the current directory: `src`, `'*.rs'`, `':(top)doc'`, `':(exclude)vendor'`.
    #[arg(long, value_name = "SPEC", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<OsString>,

    /// Only files in language LANG; may be repeated.
    ///
    /// The name as `git cora stats` prints it, in any case: `rust`, `c++`, `TypeScript`. Several may be joined
    /// by commas.
    #[arg(long, value_name = "LANG", value_delimiter = ',')]
    pub(crate) lang: Vec<String>,

    /// Only this kind of chunk or declaration; may be repeated.
    ///
    /// Several may be joined by commas.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = PossibleValuesParser::new(KINDS))]
    pub(crate) kind: Vec<String>,
}

/// How results reach the screen.
#[derive(Debug, clap::Args)]
pub(crate) struct Screen {
    /// When to colour the text.
    ///
    /// Without this flag, `color.cora` and then `color.ui` decide, as for Git's own commands; `auto` means on a
    /// terminal, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(crate) color: Option<ColorWhen>,

    /// Do not send long output through a pager.
    ///
    /// Without this flag, `pager.cora` and Git's choice of pager decide, and only on a terminal.
    #[arg(long)]
    pub(crate) no_pager: bool,
}

/// When text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal.
    Auto,
    /// Even into a pipe.
    Always,
    /// At no time.
    Never,
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
    /// One `path:line: symbol` a line, best first.
    Paths,
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

/// Keep this repository indexed: install hooks and settings.
///
/// Installs the hooks post-commit, post-checkout, post-merge and post-rewrite, which index new
/// commits in the background. Where Git decorates commits with all refs, it hides `refs/cora/*` by
/// local configuration. Either everything is installed or, if a file can't be written, nothing.
///
/// An existing hook keeps its lines: ours are in a marked block after the first line. A hook that
/// is a link, or is not executable, moves to the directory `before-git-cora` beside it, and runs
/// from there if it is executable. So a hook that was switched off stays off. A hook that is not a
/// shell script is left alone. So is a hooks directory outside the repository, or one in the work
/// tree that is not ignored; the line to add is printed instead.
///
/// With `--agent`, tells a coding agent's client about `git cora mcp` instead, in the client's own file in the work
/// tree, where all else stays as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = INIT_EXAMPLES)]
pub(crate) struct Init {
    /// Install the hooks, change no configuration.
    #[arg(long, conflicts_with = "no_hooks")]
    pub(crate) hooks_only: bool,

    /// Set the configuration, install no hook.
    #[arg(long)]
    pub(crate) no_hooks: bool,

    /// Only write the configuration of this coding agent's client; may be repeated.
    ///
    /// An entry `cora` that starts `git-cora mcp`, in `.mcp.json` for Claude Code, `.codex/config.toml`,
    /// `.cursor/mcp.json`, `.gemini/settings.json`, `.vscode/mcp.json` or `.zed/settings.json`. Several may be joined
    /// by commas. With `--dry-run` the file is printed as it would be.
    #[arg(long, value_name = "AGENT", value_enum, value_delimiter = ',', conflicts_with_all = ["hooks_only", "no_hooks"])]
    pub(crate) agent: Vec<Agent>,

    /// Whether anything is done.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,
}

/// A coding agent whose client can be configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Cursor.
    Cursor,
    /// Gemini CLI.
    Gemini,
    /// Visual Studio Code.
    Vscode,
    /// Zed.
    Zed,
}

/// Remove what `init` installed.
///
/// Restores the hooks, the configuration and agents' files as they were before `git cora init`,
/// byte for byte. Lines that you added since stay. A file that can't be handled is reported, and
/// the others are restored. The index stays too: plain Git removes it, as the example shows.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git cora uninstall
  git for-each-ref --format='delete %(refname)' refs/cora/ refs/cora-local/ | git update-ref --stdin")]
pub(crate) struct Uninstall {
    /// Whether anything is done.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,
}

/// Index commits.
///
/// Stores an index of each named commit under `refs/cora/<commit>`. What an earlier index holds of unchanged
/// files is reused, so that a next commit takes milliseconds. The first-parent line back to the nearest indexed
/// ancestor is filled as well, within `cora.fill`, so that a later push stays small.
///
/// Interrupting it at any point leaves the repository as it was, or complete. A commit that is indexed already
/// costs nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = INDEX_EXAMPLES)]
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

    /// Compute every record anew instead of reusing stored ones.
    ///
    /// The result has the same object ids; use `git cora verify` to see whether it would.
    #[arg(long)]
    pub(crate) force: bool,

    /// Fill at most N commits between a tip and its nearest indexed ancestor.
    ///
    /// Overrides `cora.fill`; 0 indexes just the named commits.
    #[arg(long, value_name = "N")]
    pub(crate) max_fill: Option<usize>,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Search the working tree or a revision.
///
/// Searches by words (identifiers whole and split), by names of declarations and by paths. TEXT may be a
/// question, a name, a path, an error message with its stack trace, or a whole issue. Text in double quotes must
/// occur as it is; `path:`, `lang:` and `symbol:` narrow the search from within TEXT.
///
/// Results come best first: each is a span of lines in one file, with the symbol that it belongs to. The score
/// orders the results of one query; it can't be compared between queries. Lines are counted from 1.
///
/// A file appears once, unless `--all-chunks` asks for more, the question asks for everything that uses something («what
/// calls parse_header»), or the text is long (an issue, a log, a stack trace), which may be about several functions of a file.
/// The results of a long text are not in the order of their scores alone: each further one of a file is put a little lower.
///
/// The working tree is searched by default, and files that differ from HEAD are marked with their Git status.
/// The exit status is 1 if nothing was found, or if not even a note of what was cut fits the budget.
///
/// Meanings are compared by the built-in model. If `cora.embedder` names a remote one and `git cora embed` has made its
/// vectors, the text of a question is sent to that one.
#[derive(Debug, clap::Args)]
#[command(after_help = QUERY_EXAMPLES)]
pub(crate) struct Query {
    /// What to look for; several words are joined by blanks, `-` reads standard input.
    #[arg(value_name = "TEXT", required_unless_present_any = ["batch", "messages"])]
    pub(crate) text: Vec<String>,

    /// Take the question from a chat: FILE holds its messages as JSON, `-` is standard input.
    ///
    /// A list of `{"role", "content"}` as OpenAI's API takes it, or an object with such a list as `messages`. The
    /// latest turn is the question, unless TEXT is one; names, paths and code of those before it count too, the older
    /// the less. System messages are left out.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) messages: Option<PathBuf>,

    /// Search the repository around PATH, at revision REV, instead of the one around the current directory; may be
    /// repeated.
    ///
    /// The results of several are merged by score, and each says which repository it is from, and what of another one
    /// it uses or is used by, as far as imports leave no doubt. Without REV its working tree is searched.
    #[arg(long, value_name = "PATH[@REV]", conflicts_with_all = ["rev", "batch", "include"])]
    pub(crate) repo: Vec<String>,

    /// Search the repository at URL, without a clone of it.
    ///
    /// Fetches the index of HEAD there, or of what `--rev` names (a branch, a tag, a full commit id, with `~N` behind it),
    /// and of the sources those that are shown. Git's own settings hold for addresses, keys and proxies. What was
    /// fetched is kept in the user's directory for caches, within `cora.remoteCacheBytes`. Nothing is indexed: if the
    /// remote has no index, `git cora index` and `git cora push` in a clone give it one.
    #[arg(long, value_name = "URL", conflicts_with_all = ["repo", "batch", "no_worktree"])]
    pub(crate) remote: Option<String>,

    /// Drop what is kept of the remote repository first.
    #[arg(long, requires = "remote")]
    pub(crate) fresh: bool,

    /// Search the repositories that were exported to the database at URL.
    ///
    /// `postgres://USER@HOST/DATABASE`, as `git cora export` takes it. All of them, or those that `--repo` names, by their
    /// names there or the last parts of these. Results have their source only if it was exported.
    #[arg(long, value_name = "URL", conflicts_with_all = ["remote", "rev", "batch", "no_worktree", "include"])]
    pub(crate) store: Option<String>,

    /// Show FILE, or a declaration in it, before all that is found; may be repeated.
    ///
    /// SYMBOL is a name or a symbol path, as `git cora list` prints it. `:signature` at the end shows its doc comment and
    /// signature alone.
    #[arg(long, value_name = "FILE[:SYMBOL[:signature]]", conflicts_with = "batch")]
    pub(crate) include: Vec<String>,

    /// Multiply the scores of files that match the pathspec SPEC by FACTOR; may be repeated.
    ///
    /// `--boost 'src/net=2'`, `--boost '*.sql=0.5'`. From 0.01 to 100.
    #[arg(long, value_name = "SPEC=FACTOR")]
    pub(crate) boost: Vec<String>,

    /// Look at revision REV, or at what changed in A..B.
    ///
    /// Without it, the working tree is searched. REV is anything that `git rev-parse` understands and that names a
    /// commit; one that is not indexed yet is indexed on the way. With a range A..B only what differs between the two
    /// is found, marked as added, changed or moved in B, or as removed: that is shown as it was in A.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Search HEAD, not the working tree.
    ///
    /// Saves the look at the work tree's state: the answer is about the last commit.
    #[arg(long, conflicts_with = "rev")]
    pub(crate) no_worktree: bool,

    /// Return at most N results.
    ///
    /// 10 if not given; with `--format rag` and a budget, as many as the budget has place for, several of a file
    /// included.
    #[arg(short = 'k', long, value_name = "N", value_parser = positive)]
    pub(crate) limit: Option<NonZeroUsize>,

    /// What to look at.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// Find tests only.
    #[arg(long, overrides_with = "no_test")]
    pub(crate) test: bool,

    /// Find no tests.
    #[arg(long, overrides_with = "test")]
    pub(crate) no_test: bool,

    /// Return every chunk that matches, not just the best of each file.
    #[arg(long)]
    pub(crate) all_chunks: bool,

    /// How to write the answer.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    pub(crate) format: Format,

    /// The short way to `--format json`.
    #[command(flatten)]
    pub(crate) json: Json,

    /// Write what the numbers of `--format markdown` stand for to FILE.
    ///
    /// A JSON object: `{"1": {"path", "start_line", "end_line", "commit"}, …}`.
    #[arg(long, value_name = "FILE", conflicts_with = "batch", value_hint = ValueHint::FilePath)]
    pub(crate) references: Option<PathBuf>,

    /// Which tags `--format rag` has.
    #[arg(long, value_name = "DIALECT", value_enum, conflicts_with = "family")]
    pub(crate) dialect: Option<Dialect>,

    /// Write `--format rag` as the vendor of a family of models advises.
    ///
    /// `claude`: each file a `<document>` with its source, for the question to follow. `openai`: each chunk a `<doc>`,
    /// what the reader has to know before and after them.
    #[arg(long, value_name = "FAMILY", value_enum)]
    pub(crate) family: Option<Family>,

    /// Keep the whole answer within N characters.
    ///
    /// What had to be left out is named at the end.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) length: Option<NonZeroUsize>,

    /// Keep the whole answer within N tokens of a language model.
    ///
    /// Counted by the encoding `cl100k_base`; models with another one count some more or less. What had to be left
    /// out is named at the end. With `--length`, both hold.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) tokens: Option<NonZeroUsize>,

    /// Show N more lines of the file before and after each result.
    ///
    /// In text, rag and Markdown; what a budget reduces to its signature is shown without them.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) context: usize,

    /// Say for each result how its score came about.
    ///
    /// Every contribution by name: words by field, declared names, paths, what speaks for or against the file;
    /// they add up to the score.
    #[arg(long)]
    pub(crate) explain: bool,

    /// Read queries as JSON lines from standard input, write answers as JSON lines.
    ///
    /// A line in is `{"id", "query", "rev"?, "path"?, "k"?}`, a line out the id and what `--json` writes, or
    /// `{"id", "error"}` if that query failed; the others go on. `path` is a pathspec or a list of them, from the
    /// current directory as with `--path`. All run in one process, so that only the first pays for opening the
    /// index. Flags set what a line leaves out.
    #[arg(long, conflicts_with_all = ["text", "format", "explain"])]
    pub(crate) batch: bool,

    /// How it reaches the screen.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Show what an index holds.
///
/// Counts files, chunks and declarations by language, says how large the index is, how old, and which files were
/// skipped for which reason.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora stats\n  git cora stats --rev v1.0 --skipped")]
pub(crate) struct Stats {
    /// Which index.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// Name every file that was skipped, with the reason.
    #[arg(long)]
    pub(crate) skipped: bool,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// List declarations.
///
/// One declaration a line, by path, then by line: place, kind, symbol. The exit status is 1 if there is none.
#[derive(Debug, clap::Args)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct List {
    /// Only symbols that match PATTERN.
    ///
    /// `*` stands for any characters, `?` for one; without either, a part of the symbol. Case matters only if
    /// PATTERN has a capital letter.
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: Option<String>,

    /// Where to look.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// What to look at.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// How the list is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Show what refers to a declaration, and what it refers to.
///
/// Names are resolved with what the sources say: imports, qualifiers, declared types, the type or file around, supertypes. What
/// that leaves no doubt about comes first; a guess, such as the method of an object of unknown type, is marked
/// with a `?`. The exit status is 1 if no declaration is called so.
#[derive(Debug, clap::Args)]
#[command(after_help = REFS_EXAMPLES)]
pub(crate) struct Refs {
    /// The declaration: NAME, TYPE.NAME, PATH:NAME or PATH:LINE.
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,

    /// Only what calls it or names it.
    #[arg(long)]
    pub(crate) callers: bool,

    /// Only what it calls or names.
    #[arg(long)]
    pub(crate) callees: bool,

    /// Only the types that inherit or implement it.
    #[arg(long)]
    pub(crate) implementers: bool,

    /// Follow the relations of relations, N deep.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(crate) depth: u8,

    /// Leave guesses out.
    #[arg(long)]
    pub(crate) certain: bool,

    /// Most places in each list.
    #[arg(short = 'k', long, value_name = "N", default_value = "20", value_parser = positive)]
    pub(crate) limit: NonZeroUsize,

    /// Where to look.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// Look in the repository around PATH, at revision REV, instead of the one around the current directory; may be
    /// repeated.
    ///
    /// SYMBOL is looked for in all of them, and followed from one to another by imports: what an application takes from
    /// a library, and who uses what the library declares. Each place says which repository it is from. Without REV its
    /// working tree is searched. The PATH of a SYMBOL is from the root of its repository.
    #[arg(long, value_name = "PATH[@REV]", conflicts_with = "rev")]
    pub(crate) repo: Vec<String>,

    /// How the lists are written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Show what references lead to from a place.
///
/// Follows calls, types and supertypes from the chunk around a line, and back to what refers to it, and lists what
/// is nearest: names that few refer to count for more, doubtful references for less.
#[derive(Debug, clap::Args)]
#[command(after_help = RELATED_EXAMPLES)]
pub(crate) struct Related {
    /// The place: PATH:LINE, or PATH for its beginning.
    #[arg(value_name = "PATH:LINE", value_hint = ValueHint::FilePath)]
    pub(crate) place: String,

    /// Most places.
    #[arg(short = 'k', long, value_name = "N", default_value = "10", value_parser = positive)]
    pub(crate) limit: NonZeroUsize,

    /// Where to look.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// Look in the repository around PATH, at revision REV, instead of the one around the current directory; may be
    /// repeated.
    ///
    /// The place lies in the first of them that has its file, whose path is from the root of that one. What it uses of the
    /// others and what of them uses it is listed too. Each place says which repository it is from. Without REV its working
    /// tree is searched.
    #[arg(long, value_name = "PATH[@REV]", conflicts_with = "rev")]
    pub(crate) repo: Vec<String>,

    /// How the list is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Show the declarations that matter most, by file.
///
/// An outline of the repository, for somebody who does not know it, or for a language model: the functions and types
/// that the rest hangs on, each with the line that declares it and its signature, as many as the budget holds. With a
/// question (words, or a whole issue), what answers it comes first, then what that refers to. With `--file`, what these
/// files refer to and what refers to them comes first. Tests are left out unless a question finds them. References are
/// resolved as by `git cora refs`. The exit status is 1 if there is nothing to show.
#[derive(Debug, clap::Args)]
#[command(after_help = MAP_EXAMPLES)]
pub(crate) struct Map {
    /// What the map is for. Several words need no quotes; `-` reads standard input.
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    /// A file in hand, which needs no outline itself; may be repeated.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Vec<OsString>,

    /// Print at most N tokens (cl100k), as text or as JSON.
    #[arg(long, value_name = "N", default_value = "1024", value_parser = positive)]
    pub(crate) tokens: NonZeroUsize,

    /// Which files and declarations may be in it.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// Where to look.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// How it is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Write a page about a file or a declaration.
///
/// One Markdown document: what the source says of it in comments, its signature, what it declares inside, what inherits
/// or implements it, who calls it, what it calls; for a file, which files use it and which it uses. Everything that is
/// named is a link, relative to the root of the repository. Guesses are marked, as by `git cora refs`. The exit status is
/// 1 if there is nothing of that name.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct Explain {
    /// What to explain: PATH, PATH:SYMBOL, PATH:LINE or SYMBOL.
    ///
    /// A symbol is a name or a symbol path, as `git cora list` prints it; of a document, the title of a section.
    #[arg(value_name = "PATH[:SYMBOL]", value_hint = ValueHint::FilePath)]
    pub(crate) place: String,

    /// Most places in each list.
    #[arg(short = 'k', long, value_name = "N", default_value = "20", value_parser = positive)]
    pub(crate) limit: NonZeroUsize,

    /// Write links to the forge that `origin` lies on, at the commit.
    ///
    /// For GitHub, GitLab, Bitbucket, Codeberg, SourceHut, and servers called after their software. Files that differ
    /// from the commit keep relative links.
    #[arg(long)]
    pub(crate) permalinks: bool,

    /// Keep the page within N characters.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) length: Option<NonZeroUsize>,

    /// Keep the page within N tokens of a language model, counted by the encoding `cl100k_base`.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) tokens: Option<NonZeroUsize>,

    /// Where to look.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// How the page is written; JSON has all of it, whatever the budget.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Show what is recorded of a file.
///
/// Prints a file's record: its chunks with their line ranges, its declarations, its keywords and what it refers
/// to. This is what the file can be found by.
#[derive(Debug, clap::Args)]
#[command(after_help = SHOW_EXAMPLES)]
pub(crate) struct Show {
    /// The file: PATH, or REV:PATH as `git show` takes it.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: OsString,

    /// Which revision.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// Show chunk N alone, with its text; counted from 1.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) chunk: Option<NonZeroUsize>,

    /// How the record is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Show which declarations differ between two commits.
///
/// One declaration a line, by path, then by line: what became of it (added, changed, moved, removed), its place, kind
/// and symbol. An edit of a method is no edit of its class; what was only indented anew is not changed, unless indentation
/// means something in its language, as in Python. A declaration is moved if its text is the same in another place, or its
/// body under another name, of 60 characters and more without blanks around its lines.
///
/// Both commits are indexed on the way. The exit status is 1 if no declaration differs.
#[derive(Debug, clap::Args)]
#[command(after_help = DIFF_EXAMPLES)]
pub(crate) struct Diff {
    /// The commits: A and B, or A..B; B is HEAD if it is left out.
    #[arg(value_name = "REV", required = true, num_args = 1..=2)]
    pub(crate) revs: Vec<String>,

    /// What to look at.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// Only files that match the pathspecs; the same as `--path`.
    #[arg(value_name = "PATHSPEC", last = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<OsString>,

    /// How the list is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Compute an index again and compare.
///
/// Recomputes records from the source and compares them, byte for byte, with the stored ones. An index that was
/// fetched needs no other trust than this. The first difference is named, and the exit status is 2.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora verify\n  git cora verify --sample 100 origin/main")]
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
/// Keeps the indexes of branch tips, of tags, and of the newest commits of each branch; drops the refs of the
/// others, and cached segments that no longer serve. Objects go with Git's next `git gc`. Nothing is lost but
/// the time to index again. Vectors of remote models go with the indexes of their commits, but for the newest of
/// each model; they would have to be paid for again. Refs below `refs/cora/` that nobody can use, as after a crash, go too.
///
/// With `--remote` it deletes from a remote instead: the indexes, vectors and commentary of commits that no branch or tag
/// of the remote reaches. These are commits that were rewritten there, or that were never public.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git cora prune --dry-run
  git cora prune --keep 20
  git cora prune --remote origin --dry-run    # what would be deleted there")]
pub(crate) struct Prune {
    /// Keep the indexes of the newest N commits of each branch.
    ///
    /// Overrides `cora.keep`.
    #[arg(long, value_name = "N")]
    pub(crate) keep: Option<usize>,

    /// Delete from REMOTE, by name or address, instead of from this repository.
    ///
    /// Without REMOTE it is the one that `git cora push` would choose. What is deleted there can't be had back from it, so
    /// it has to be confirmed. This repository must know all branches and tags of the remote.
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
    /// The remote, by name or address. Without it, the one that Git would choose.
    ///
    /// For a push these are `branch.<name>.pushRemote`, `remote.pushDefault` and `branch.<name>.remote`, for a fetch the
    /// last of these; then `origin`, or the only remote.
    #[arg(value_name = "REMOTE")]
    pub(crate) remote: Option<String>,

    /// The commits whose indexes to move; all that may be moved if none is given.
    #[arg(value_name = "REV")]
    pub(crate) revs: Vec<String>,

    /// Move the vectors of remote models too, of all models.
    ///
    /// They lie under `refs/cora/embeddings/`. Where both sides have different ones of a commit, both stay as they are.
    /// `cora.shareEmbeddings` makes it the default.
    #[arg(long)]
    pub(crate) embeddings: bool,

    /// Move the commentary of language models too.
    ///
    /// It is stored under `refs/cora/commentary/`. Where both sides have a different one of a commit, both stay as they are.
    #[arg(long)]
    pub(crate) commentary: bool,

    /// Whether anything is done.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,
}

/// Send indexes to a remote.
///
/// Sends `refs/cora/<commit>` of all indexed commits that a branch or tag of the remote reaches, as far as this
/// repository knows. The other indexes stay here: a private branch, a commit that was amended away. Naming a commit sends
/// its index in any case. An index holds names and words of the commit's files and of its first parent's.
///
/// Only differences travel. Indexing is reproducible: the same commit has the same index on every machine, and a push
/// can't conflict. The `pre-push` hook runs as in any push. `git push origin 'refs/cora/*'` works too, but sends every
/// index that is here.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora push\n  git cora push origin main v1.0")]
pub(crate) struct Push {
    /// What goes where.
    #[command(flatten)]
    pub(crate) transfer: Transfer,
}

/// Get indexes from a remote.
///
/// Gets `refs/cora/<commit>` of the named commits, or of all that are in this repository, as far as the remote has
/// them. A fetched index serves at
/// once: nothing is computed. `git cora verify` tells whether it is what this machine would have computed.
/// `git fetch origin 'refs/cora/*:refs/cora/*'` works too; this gets less.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora fetch\n  git cora fetch origin main v1.0")]
pub(crate) struct Fetch {
    /// What comes from where.
    #[command(flatten)]
    pub(crate) transfer: Transfer,
}

/// Answer a question, with sources.
///
/// Splits the question into parts, searches for each as `git cora query` does, follows references from what it finds, and
/// shows the evidence: part by part, each place numbered.
///
/// If `cora.model` names a language model, that one splits the question, judges after each step what is still missing,
/// asks on, and writes the answer. The question and the evidence are sent to it; without the setting nothing is sent
/// anywhere. Each citation `[n]` of its answer exists, or is removed and reported; sentences that cite nothing are marked
/// with `[?]`. The key comes from the provider's environment variable (`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`,
/// `TOGETHER_API_KEY`, `OLLAMA_API_KEY`, for others `CORA_MODEL_API_KEY`) or from `git credential`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git cora ask 'how are tokens refreshed, and who evicts the session cache?'
  git config cora.model anthropic:MODEL
  git cora ask --dry-run 'how are retries bounded?'       # what would be sent, and where
  git cora ask --trace t.json 'how are retries bounded?'
  git cora ask --resume t.json                            # pays for nothing twice")]
pub(crate) struct Ask {
    /// The question; several words are joined by blanks, `-` reads standard input.
    #[arg(value_name = "QUESTION", required_unless_present = "resume")]
    pub(crate) question: Vec<String>,

    /// Ask at revision REV, not of the working tree.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Ask at HEAD, not of the working tree.
    #[arg(long, conflicts_with = "rev")]
    pub(crate) no_worktree: bool,

    /// What to look at.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// Ask no model: show the evidence.
    #[arg(long)]
    pub(crate) extractive: bool,

    /// Search in at most N steps.
    #[arg(long, value_name = "N", default_value = "6", value_parser = positive)]
    pub(crate) steps: NonZeroUsize,

    /// Show, or send, at most N tokens of evidence.
    #[arg(long, value_name = "N", default_value = "6000", value_parser = positive)]
    pub(crate) tokens: NonZeroUsize,

    /// Spend at most N tokens of the model; 0 means any number.
    ///
    /// Overrides `cora.askBudget`. When the budget is spent, the evidence is the answer.
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,

    /// Keep what is asked, found and answered in FILE, as JSON lines; it must not exist yet.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trace: Option<PathBuf>,

    /// Go on from a trace: what the model has answered there is not asked again.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "trace")]
    pub(crate) resume: Option<PathBuf>,

    /// Print what the model is shown too.
    #[arg(long)]
    pub(crate) show_context: bool,

    /// Whether anything is sent.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,

    /// How the answer is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text reaches the screen.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Embed a commit by a remote model.
///
/// Sends the text of the commit's indexed chunks to the model that `cora.embedder` names, and keeps the vectors under
/// `refs/cora/embeddings/<model>/<commit>`. Queries then compare meanings by that model; without the setting nothing is
/// sent anywhere.
///
/// What is known is not sent again: files and texts that any commit has vectors of, and what an interrupted run has
/// received. A run spends at most `cora.embedBudget` tokens; the next one goes on. The key comes from the provider's
/// environment variable (`VOYAGE_API_KEY`, `OPENAI_API_KEY`, `TOGETHER_API_KEY`, `OLLAMA_API_KEY`, for others
/// `CORA_EMBED_API_KEY`) or from `git credential`.
///
/// Vectors cost money and are not reproducible: nothing drops them unasked, `git cora prune` keeps the newest of a model,
/// and `git cora push --embeddings` shares them, as plain Git does.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git config cora.embedder voyage:voyage-code-3
  git cora embed --dry-run     # what it would send
  git cora embed
  git push origin 'refs/cora/embeddings/*'")]
pub(crate) struct Embed {
    /// The commit to embed; HEAD if none is given.
    #[arg(value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Send at most N tokens; 0 means any number.
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
/// Sends the indexed chunks of the commit, each with what the reference graph says of it, to the model that `cora.model`
/// names, which writes a short paragraph on each: what it does and what it is for. These are kept under
/// `refs/cora/commentary/<commit>`; queries find chunks by them too, and `--json`, `--format rag` and `git cora explain`
/// show them, marked as generated, with the model's name.
///
/// Before anything is sent, the number of chunks and tokens is told, and has to be confirmed. A run spends at most
/// `cora.annotateBudget` tokens; the next one goes on. Chunks that the model has written about for any commit are not sent
/// again, nor is what an interrupted run has received. Source that talks to the model is sent as data, and told to be it.
///
/// Commentary costs money and is not reproducible: `git cora prune` leaves it alone, and
/// `git cora push --commentary` shares it, as plain Git does.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git config cora.model anthropic:claude-haiku-4-5
  git cora annotate --dry-run | head -1   # what it would send
  git cora annotate --path src
  git push origin 'refs/cora/commentary/*'")]
pub(crate) struct Annotate {
    /// The commit to annotate; HEAD if none is given.
    #[arg(value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Only files that match the pathspec SPEC; may be repeated.
    ///
    /// Others keep the commentary that they have.
    #[arg(long, value_name = "SPEC", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<OsString>,

    /// Spend at most N tokens, sent and received; 0 means any number.
    ///
    /// Overrides `cora.annotateBudget`.
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,

    /// Send without asking.
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Whether anything is sent. Each request is printed as it would be, a JSON object a line.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Write an index to a PostgreSQL database.
///
/// For more repositories than one machine holds: each chunk becomes a row with its place, symbol, embedding and words, and
/// `git cora query --store` searches all of them together. Needs the extension pgvector. What is there and the same is not
/// written again; an export that was interrupted goes on. Without `--with-text` no source leaves the repository, but names,
/// words and paths do.
///
/// The password may stand in URL or in `PGPASSWORD`; it is not shown. To another machine the connection is encrypted,
/// unless URL ends in `?sslmode=disable`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git cora export --to postgres://me@db.example.org/code\n  git cora query --store postgres://me@db.example.org/code retry"
)]
pub(crate) struct Export {
    /// The database: `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE`.
    #[arg(long, value_name = "URL")]
    pub(crate) to: String,

    /// Call the repository NAME there; otherwise it is called by its remote's address, or its directory.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Which commit; HEAD if none is given.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// Write the sources too.
    #[arg(long)]
    pub(crate) with_text: bool,

    /// Drop what is there of the repository first.
    #[arg(long)]
    pub(crate) fresh: bool,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Check the set-up and say what to do.
///
/// Looks at Git's version, the hooks, the index of HEAD, settings, caches and what failed in the background, and
/// recomputes a sample of 20 records as `git cora verify --sample 20` does. For everything that could be better it
/// says what to do. `note` is what works as it is, missing hooks for example; the exit status is 1 if there is a
/// `problem`.
#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,
}

/// Serve coding agents over the Model Context Protocol.
///
/// Speaks the protocol on standard input and output, for the current repository, that of `-C`, or those that are named. An
/// agent's client starts it; `git cora init --agent` writes what the client needs for that. Tools: `search`, `symbol`,
/// `read`, `map` and `changes`, in the working tree or at any revision. A repository that is not indexed is indexed in the background
/// while it is asked. With `cora.ann` set to `hnsw`, what it finds by meaning is found by a graph, and may differ a
/// little from what `git cora query` finds. It ends when the client closes standard input.
#[derive(Debug, clap::Args)]
#[command(after_help = MCP_EXAMPLES)]
pub(crate) struct Mcp {
    /// The repositories to serve; the one around the current directory if none is named.
    ///
    /// Of several all are searched, and what one uses of another is followed. In what the agent reads and writes, paths
    /// begin with the name of their repository, which is that of its directory.
    #[arg(value_name = "REPO", value_hint = ValueHint::DirPath)]
    pub(crate) repositories: Vec<PathBuf>,
}

/// Serve programs over HTTP, and people a page.
///
/// The page is at `/`: search at any revision, source, why something was found, what refers to what. Programs are
/// answered at `POST /coderag/query` and others, which `/openapi.json` describes, and at `GET /healthz` and `/metrics`. Only the repositories that are named, or lie under a root, are served; the current one if
/// none is. Whoever asks needs a token, which is made and printed at the first start, and kept in a file that only
/// its owner can read. With `cora.ann` set to `hnsw`, what is found by meaning is found by a graph, and may differ a
/// little from what `git cora query` finds. Requests are logged to standard error as lines of JSON, without what was
/// asked or found. Ctrl-C ends it, when the requests at work are answered.
///
/// At each start the page's address is printed with a key behind `#`. It opens the page once, within an hour, in a browser
/// on this machine; the browser gives it back for the token, which it keeps until its tab is closed. `--open` does that by itself.
#[derive(Debug, clap::Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct Serve {
    /// The repositories to serve.
    #[arg(value_name = "REPO", value_hint = ValueHint::DirPath)]
    pub(crate) repositories: Vec<PathBuf>,

    /// Listen on ADDRESS and port; port 0 is any free one, which is printed.
    ///
    /// An address that others can reach is for a network that you trust: nothing is encrypted.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8417")]
    pub(crate) listen: SocketAddr,

    /// Open the page in a browser.
    #[arg(long)]
    pub(crate) open: bool,

    /// Serve every repository under DIR too; may be repeated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) root: Vec<PathBuf>,

    /// Keep the token in FILE.
    ///
    /// Without it, in `git-cora/token` in the user's directory for state: `$XDG_STATE_HOME`, or `~/.local/state`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) token_file: Option<PathBuf>,

    /// Let clients call this host HOST; may be repeated.
    ///
    /// Beside the names of the loopback and the address that it listens on. A request whose header `Host` has another
    /// name is refused: that is how a web page would reach a server on this machine.
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,

    /// Let web pages of ORIGIN ask, as `https://example.org`; may be repeated.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
}

/// Keep searches fast while files and refs change.
///
/// Runs until Ctrl-C. Indexes HEAD whenever a ref moves, whichever program moved it, merges its segment before a query
/// needs it, and parses an edited file when it is saved, so that queries need not. Says what it does on standard error.
/// Queries work without it and answer the same: it only does earlier what they would have to do themselves.
///
/// One watches each work tree. Ignored directories are not watched.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git cora watch\n  git cora watch --branches --quiet &")]
pub(crate) struct Watch {
    /// Index the tips of all local branches, not of HEAD alone.
    #[arg(long)]
    pub(crate) branches: bool,
}

/// Run what a Git hook asks for.
///
/// Called by the hooks, not by people. Whatever happens, it exits with 0 and prints nothing: a failing index
/// must not fail a commit. Hence EVENT is any word, and what follows it is taken as it comes.
#[derive(Debug, clap::Args)]
pub(crate) struct Hook {
    /// The hook's name, as `post-commit`.
    #[arg(value_name = "EVENT")]
    pub(crate) event: OsString,

    /// The hook's own arguments.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) args: Vec<OsString>,
}

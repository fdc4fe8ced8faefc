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
use clap::{Arg, ArgAction, CommandFactory as _, Parser, Subcommand, ValueEnum, ValueHint};

/// The kinds of declarations, for `--kind`.
pub(crate) const DECLARATION_KINDS: [&str; 22] = [
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
];

/// The kinds of chunks that belong to no declaration, for `--kind`.
pub(crate) const CHUNK_KINDS: [&str; 5] = ["head", "group", "code", "data", "window"];

/// Parses a relevance.
fn relevance(text: &str) -> Result<f64, String> {
    checked_relevance(text.parse().unwrap_or(f64::NAN))
}

/// Returns a relevance if it is one.
pub(crate) fn checked_relevance(value: f64) -> Result<f64, String> {
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("expected a number from 0 to 1".to_owned()) }
}

/// Parses a number, 1 or more.
fn positive(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number, 1 or more".to_owned())
}

/// Heading of the flags that every command has, to separate them from a command's own flags.
const GENERAL: &str = "General options";
/// Headings of flags that say what is searched, narrow it, shape the results, and write them.
const SCOPE: &str = "What to search";
const FILTERS: &str = "Filters";
const RESULTS: &str = "Results";
const OUTPUT: &str = "Output";

/// The commands by purpose, in the order of the help. Each visible command is in one group.
pub(crate) const GROUPS: &[(&str, &[&str])] = &[
    ("Search", &["query", "ask"]),
    ("Explore", &["map", "list", "refs", "related", "explain", "show", "stats"]),
    ("History", &["log", "when", "blame", "diff", "impact", "changelog"]),
    ("Set up", &["init", "uninstall", "doctor", "man"]),
    ("Index and share", &["index", "watch", "push", "fetch", "verify", "prune", "export"]),
    ("Serve agents, editors, programs and people", &["mcp", "lsp", "serve"]),
    ("Use remote models", &["embed", "annotate"]),
];

/// Returns the command line as the program parses it: the help lists commands by purpose, and
/// examples come before options.
pub(crate) fn command() -> clap::Command {
    const EXAMPLES_FIRST: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}";
    let mut command = Args::command();
    command.build();
    let mut list = String::new();
    for (heading, names) in GROUPS {
        list += &format!("\n{heading}:\n");
        for name in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            list += &format!("  {name:<10} {}\n", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    let template =
        format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}{{after-help}}\n{list}\n{{all-args}}");
    // The list above stands for the commands.
    command
        .override_usage("git cora [OPTIONS] <COMMAND>")
        .mut_subcommands(|sub| sub.hide(true).help_template(EXAMPLES_FIRST))
        .help_template(template)
}

const AFTER_HELP: &str = "\
Examples:
  git cora init                                # index from now on, after every commit
  git cora query where are tokens refreshed    # search the working tree
  git cora query --rev v1.2 --lang go retry    # search a release, indexed or not
  git cora push                                # share the index with the remote

Exit status: 0 found, 1 nothing found, 2 usage or error, 128 not in a repository, 130 interrupted";

const QUERY_EXAMPLES: &str = "\
Examples:
  git cora query parse the commit header
  git cora query '\"fn open(\" path:src/repo'       # a quoted phrase at the start must match exactly
  git cora query --rev HEAD~20 --path 'src/*.rs' retry back-off
  git cora query --format rag --tokens 8000 \"$(cat issue.md)\"
  git cora query --rev v1.0..v1.1 retry             # only what changed between
  git cora query --remote https://example.org/lib.git retry   # without a clone
  git cora query --json -k 5 RefStore | jq -r '.results[].path'";

const LOG_EXAMPLES: &str = "\
Examples:
  git cora log retry_upload
  git cora log src/upload.rs:42 -k 5
  git cora log --patch src/upload.rs:Uploader.send
  git cora log --rev v1.0 --json parse | jq -r '.commits[].commit'";

const IMPACT_EXAMPLES: &str = "\
Examples:
  git cora impact                          # the uncommitted changes
  git cora impact v1.0 v1.1                # between two releases
  git cora impact main...topic             # a branch, as a pull request shows it
  git cora impact retry_upload             # what a change of this function would touch
  git cora impact --format markdown origin/main...HEAD > comment.md
  git cora impact --fail-on broken origin/main...HEAD    # status 1 if callers break";

const CHANGELOG_EXAMPLES: &str = "\
Examples:
  git cora changelog v1.0 v1.1
  git cora changelog --public --format markdown v1.0 > notes.md    # up to HEAD
  git cora changelog --json main...topic -- src";

const WHEN_EXAMPLES: &str = "\
Examples:
  git cora when retry_upload                  # a declaration, through renames and moves
  git cora when '\"no such pane\"'              # text, exactly as quoted
  git cora when was display-popup introduced
  git cora when linger.ms -- doc '*.md'";

const BLAME_EXAMPLES: &str = "\
Examples:
  git cora blame retry_upload
  git cora blame --moves src/upload.rs:42
  git cora blame --rev v1.0 --json src/upload.rs";

const INDEX_EXAMPLES: &str = "Examples:
  git cora index                 # the current commit
  \
git cora index --branches      # every local branch
  git cora index v1.0..v2.0      # every \
commit of a range
  git cora index --force HEAD    # compute all of it again";

const REFS_EXAMPLES: &str = "Examples:
  git cora refs index_commit                        # who calls it, what it calls
  git cora refs Session.answer --callers --depth 2
  git cora refs Progress --implementers
  git cora refs src/index/build.rs:120 --callees --certain --json
  git cora refs Flask --repo . --repo ../flask      # declared there, used here";
const RELATED_EXAMPLES: &str = "Examples:
  git cora related src/index/build.rs:120
  git cora related --rev v1.0 --json lib/retry.py:33
  git cora related src/flask/app.py:81 --repo ../flask --repo ../shop  # also what uses it in the shop";
const EXPLAIN_EXAMPLES: &str = "\
Examples:
  git cora explain src/index/build.rs
  git cora explain src/session.rs:Session.answer --rev v1.0
  git cora explain RefStore --permalinks > refs.md
  git cora explain 'doc/guide.md:Set-up' --tokens 1000";

const MAP_EXAMPLES: &str = "\
Examples:
  git cora map                                # the core of this repository
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
  git cora diff                      # the uncommitted changes
  git cora diff v1.0 v1.1            # between two releases
  git cora diff main...topic -- src  # a branch, in one directory
  git cora diff --kind function --json HEAD~5";

const INIT_EXAMPLES: &str = "\
Examples:
  git cora init --dry-run
  git cora init
  git cora init --agent claude,cursor   # let these agents search with 'git cora mcp'
  git cora init --agent claude --skill  # also tell Claude Code when to search";

const MCP_EXAMPLES: &str = "\
Examples:
  git cora init --agent claude                   # write the client's configuration
  claude mcp add cora -- git-cora mcp            # or let the client do it
  claude mcp add cora -- git-cora mcp . ../library   # two repositories that belong together
  npx @modelcontextprotocol/inspector git-cora mcp   # try it by hand";

const LSP_EXAMPLES: &str = "\
Examples:
  git cora lsp                                   # the command that an editor runs
  git cora lsp --certain                         # without guesses
  git cora lsp --rev v1.0                        # answer from a release";

const SERVE_EXAMPLES: &str = "\
Examples:
  git cora serve --open                         # the current repository, in a browser
  git cora serve --root ~/src --listen 127.0.0.1:9000
  TOKEN=$(cat ~/.local/state/git-cora/token)
  curl -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \\
    -d '{\"messages\": [{\"role\": \"user\", \"content\": \"where is the retry?\"}], \"repos\": [{}]}' \\
    http://127.0.0.1:8417/coderag/query";

const SHOW_EXAMPLES: &str = "\
Examples:
  git cora show src/bin/git-cora/main.rs
  git cora show src/bin/git-cora/main.rs:15
  git cora show v1.0:src/bin/git-cora/main.rs --chunk 3
  git cora show --raw src/bin/git-cora/main.rs";

/// Search a Git repository by meaning, words and names, with an index stored in the repository.
///
/// `git cora` finds the places in a repository that answer a question. It searches by meaning,
/// words, names and paths, in the working tree or at any commit. The index of a commit is stored in
/// the repository itself, under `refs/cora/<commit>`. Records of unchanged files are reused. All
/// branches and linked worktrees use the same index, and `git cora push` and `git cora fetch` share
/// it with others. Deleting the index loses nothing but time.
///
/// Start with `git cora init`, or just ask: `git cora query TEXT` indexes what is missing.
///
/// The exit status is 0 if something was found or done, 1 if nothing was found, and 2 for an error.
/// It is 128 outside a Git repository, and 130 if the command was interrupted.
///
/// Settings are `cora.*` keys of `git config`. The program reads these environment variables:
///
/// `CORA`: the value `0` switches the hooks off.
///
/// `NO_COLOR`: any value switches colours off, unless `--color` or a setting says `always`.
///
/// `TERM`: the value `dumb` does the same.
///
/// `COLUMNS`: the width of the output; without it, the width of the terminal.
///
/// `GIT_PAGER` and `PAGER`: the pager; `pager.cora` overrides both, and `core.pager` overrides
/// `PAGER`.
///
/// `LESS` and `LV`: options of these pagers; if they are not set, the pager gets Git's defaults.
///
/// `GIT_PAGER_IN_USE`: set by `git -p cora`, so that the output is coloured.
///
/// `XDG_CACHE_HOME`: the directory for copies of remote repositories; without it, `~/.cache`.
///
/// `XDG_STATE_HOME`: the directory for the token of `git cora serve`; without it, `~/.local/state`.
///
/// `HOME`: the home directory, for the two defaults above and for `git cora man --install`; on
/// Windows, `LOCALAPPDATA` is used instead.
///
/// `PATH` and `MANPATH`: where `git cora init` and `doctor` look for the program and its manual
/// pages.
///
/// `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `TOGETHER_API_KEY`, `OLLAMA_API_KEY` and
/// `VOYAGE_API_KEY`: the key for the models of that provider.
///
/// `CORA_MODEL_API_KEY` and `CORA_EMBED_API_KEY`: the key for a language model and for an embedding
/// model at another address.
///
/// `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`: the proxy for requests to models, as in
/// curl; all but `http_proxy` may be in capital letters.
///
/// `GIT_SSL_CAINFO` and `GIT_SSL_NO_VERIFY`: how the certificates of models are checked, as in Git.
///
/// `PGPASSWORD` and `PGUSER`: the password and the user for PostgreSQL; without `PGUSER`, the user
/// is `USER`.
///
/// `HOSTNAME`: the name of this machine, which an HTTP client may send as `checkoutHost`.
///
/// `COMPUTERNAME`: the same on Windows, where it is also the name of this machine in lock files.
///
/// `CORA_PUSHING`: set by `git cora push`, so that a `pre-push` hook does not push again.
///
/// `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`, `GIT_OBJECT_DIRECTORY` and
/// `GIT_ALTERNATE_OBJECT_DIRECTORIES`: the repository, as in Git.
///
/// `GIT_CONFIG_PARAMETERS` and `GIT_CONFIG_COUNT`: settings of `git -c` and of the environment, as
/// in Git.
///
/// `GIT_TERMINAL_PROMPT` and `GIT_NO_LAZY_FETCH`: whether Git may ask for a password, and whether
/// it may fetch missing objects of a partial clone, as in Git.
///
/// `GIT_QUARANTINE_PATH`: set by Git while it receives a push; no index is written then.
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
    /// Like `git -C`: other relative paths start at DIR.
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = GENERAL, value_hint = ValueHint::DirPath, action = clap::ArgAction::Append)]
    pub(crate) directory: Vec<PathBuf>,

    /// Print nothing but results and errors.
    ///
    /// Turns off progress, notes and hints.
    #[arg(short, long, global = true, help_heading = GENERAL, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Report each step, and how long it took.
    ///
    /// The notes go to standard error, so results can still be piped.
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
    Related(RelatedArgs),
    Map(Map),
    Explain(Explain),
    Show(Show),
    Diff(Diff),
    Impact(Impact),
    Changelog(Changelog),
    Log(Log),
    When(WhenArgs),
    Blame(Blame),
    Verify(Verify),
    Prune(Prune),
    Push(Push),
    Fetch(Fetch),
    Embed(Embed),
    Annotate(Annotate),
    Export(Export),
    Doctor(Doctor),
    Mcp(Mcp),
    Lsp(Lsp),
    Serve(Serve),
    Watch(Watch),
    Man(Man),
    #[command(hide = true)]
    Hook(Hook),
    /// Print the version.
    #[command(hide = true)]
    Version,
}

/// Returns the change of a command's arguments that says in the help of `--json` what its JSON is.
///
/// `object` continues the word "Prints". The flag is shared, but each command has its own report.
fn json_of(object: &'static str) -> impl Fn(Arg) -> Arg {
    move |arg| match arg.get_id().as_str() {
        "json" => arg.long_help(format!(
            "Write JSON instead of text.\n\nPrints {object}. Later versions may add fields, but keep the \
             meaning of the existing ones. `--format json` means the same. If you use both `--json` and \
             `--format`, the later one counts."
        )),
        _ => arg,
    }
}

/// Returns the change of a command's arguments that limits `--kind` to kinds of declarations.
fn declarations_only(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "kind" => arg
            .value_parser(PossibleValuesParser::new(DECLARATION_KINDS))
            .help("Only this kind of declaration; may be repeated")
            .long_help("Only this kind of declaration; may be repeated.\n\nCommas separate several."),
        _ => arg,
    }
}

/// `--json`, for the commands that write a report. Each command adds [`json_of`].
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Json {
    /// Write JSON instead of text.
    #[arg(help_heading = OUTPUT, long, overrides_with = "format")]
    pub(crate) json: bool,

    /// The same choice by name.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, hide = true, overrides_with = "json")]
    pub(crate) format: Option<ReportFormat>,
}

impl Json {
    /// Whether JSON is written.
    pub(crate) fn is_wanted(&self) -> bool {
        self.json || self.format == Some(ReportFormat::Json)
    }
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// `--limit`, for the commands that show everything unless they get a limit.
#[derive(Debug, clap::Args)]
pub(crate) struct Limit {
    /// Show at most N items; without this flag, show all. `-n` means the same.
    ///
    /// If the answer has several lists, each list has at most N items.
    #[arg(help_heading = RESULTS, short = 'k', short_alias = 'n', long, value_name = "N", value_parser = positive)]
    pub(crate) limit: Option<NonZeroUsize>,
}

impl Limit {
    /// Returns the limit; `None` for all.
    pub(crate) fn get(&self) -> Option<usize> {
        self.limit.map(NonZeroUsize::get)
    }
}

/// `--limit`, for the commands whose answer is several lists.
#[derive(Debug, clap::Args)]
pub(crate) struct ListLimit {
    /// Show at most N items in each list; `-n` means the same.
    #[arg(help_heading = RESULTS, short = 'k', short_alias = 'n', long, value_name = "N", default_value = "20", value_parser = positive)]
    pub(crate) limit: NonZeroUsize,
}

impl ListLimit {
    /// Returns the limit of each list.
    pub(crate) fn get(&self) -> usize {
        self.limit.get()
    }
}

/// `--dry-run`, for the commands that change the repository or a remote.
#[derive(Debug, clap::Args)]
pub(crate) struct DryRun {
    /// Show what would be done, and do nothing.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
}

/// Which revision is looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct Revision {
    /// Use revision REV.
    ///
    /// Without it, the working tree is used. REV is anything that `git rev-parse` understands and
    /// that names a commit. A commit without an index is indexed first; records of unchanged files
    /// are reused.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
}

/// Which indexed revision is looked at: a commit, never the working tree.
#[derive(Debug, clap::Args)]
pub(crate) struct CommitRevision {
    /// Use revision REV.
    ///
    /// Without it, HEAD is used. REV is anything that `git rev-parse` understands and that names a
    /// commit. A commit without an index is indexed first; records of unchanged files are reused.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
}

/// Which files and declarations are looked at. Filters of different kinds must all hold; of several
/// values for one kind, any.
#[derive(Debug, clap::Args)]
pub(crate) struct Filter {
    /// Only files that match the pathspec SPEC; may be repeated.
    ///
    /// Git's own pathspecs, from the current directory: `src`, `'*.rs'`, `':(top)doc'`,
    /// `':(exclude)vendor'`.
    #[arg(help_heading = FILTERS, long, value_name = "SPEC", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<OsString>,

    /// Only files in language LANG; may be repeated.
    ///
    /// Use the name that `git cora stats` prints, such as `rust`, `c++` or `TypeScript`. Upper and
    /// lower case do not matter. Commas separate several names.
    #[arg(help_heading = FILTERS, long, value_name = "LANG", value_delimiter = ',')]
    pub(crate) lang: Vec<String>,

    /// Only this kind of chunk or declaration; may be repeated.
    ///
    /// Commas separate several. Some kinds are for code outside declarations: `head` is the
    /// beginning of a file (first comments and imports), and `code` is other statements. `group` is
    /// several small declarations together. `data` is keys of structured data, and `window` is a
    /// stretch of a file whose syntax is unknown.
    #[arg(help_heading = FILTERS, long, value_name = "KIND", value_delimiter = ',', value_parser = PossibleValuesParser::new(DECLARATION_KINDS.into_iter().chain(CHUNK_KINDS)))]
    pub(crate) kind: Vec<String>,
}

/// How results reach the screen.
#[derive(Debug, clap::Args)]
pub(crate) struct Screen {
    /// When to colour the text.
    ///
    /// Without this flag, `color.cora` and then `color.ui` decide, as in Git's own commands. `auto`
    /// means on a terminal, unless NO_COLOR is set.
    #[arg(help_heading = OUTPUT, long, value_name = "WHEN", value_enum)]
    pub(crate) color: Option<ColorMode>,

    /// Do not send long output through a pager.
    ///
    /// Without this flag, long output on a terminal goes through the pager that `pager.cora` or
    /// Git's other settings select.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) no_pager: bool,
}

/// When text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorMode {
    /// On a terminal.
    Auto,
    /// Also when the output is a pipe.
    Always,
    /// Never.
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
    /// One `path:line: symbol` per line, best first.
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

/// Keep this repository indexed: install hooks and settings.
///
/// Indexes HEAD, and installs the hooks post-commit, post-checkout, post-merge and post-rewrite,
/// which index new commits in the background. Some versions and settings of Git make `git log` show
/// every ref next to its commit. In that case, `git cora init` also sets `log.excludeDecoration` in
/// this repository, so that `git log` does not show the refs of indexes. If a file can't be
/// written, nothing is installed.
///
/// Git 2.54 and newer read the hooks from the repository's configuration. For older versions, the
/// hooks are files. An existing hook keeps its lines: a marked block is added after its first line.
/// A hook that is a symbolic link, or is not executable, is moved to the directory
/// `before-git-cora` next to it. A moved hook runs from there if it is executable; a hook that was
/// switched off stays off. A hook that is not a shell script is left unchanged. Two kinds of hooks
/// directories are left unchanged too: one outside the repository, and one in the working tree that
/// Git does not ignore. For these, the line to add is printed.
///
/// With `--agent`, registers `git cora mcp` with a coding agent's client instead. This adds an
/// entry to the client's own file in the working tree, and changes nothing else. With `--skill`,
/// the agent also gets instructions on when to use which command.
#[derive(Debug, clap::Args)]
#[command(after_help = INIT_EXAMPLES)]
pub(crate) struct Init {
    /// Install only the hooks: set nothing else, and index nothing.
    #[arg(long, conflicts_with = "no_hooks")]
    pub(crate) hooks_only: bool,

    /// Install no hooks, but do everything else.
    #[arg(long)]
    pub(crate) no_hooks: bool,

    /// Only write the configuration of this coding agent's client; may be repeated.
    ///
    /// Adds an entry `cora`, which starts `git-cora mcp`, to the client's own file: `.mcp.json` for
    /// Claude Code, `.codex/config.toml`, `.cursor/mcp.json`, `.gemini/settings.json`,
    /// `.vscode/mcp.json` or `.zed/settings.json`. `agents-md` adds a marked block to `AGENTS.md`,
    /// which many agents read. Commas separate several agents. With `--dry-run` the resulting file
    /// is printed.
    #[arg(long, value_name = "AGENT", value_enum, value_delimiter = ',', conflicts_with_all = ["hooks_only", "no_hooks"])]
    pub(crate) agent: Vec<Agent>,

    /// Also tell the agent when to search, and permit commands that only read.
    ///
    /// Writes a skill to `.claude/skills/` for Claude Code, to `.agents/skills/` for Codex, Gemini
    /// CLI, VS Code and Zed, or a rule to `.cursor/rules/`. Claude Code, Codex, Gemini CLI and VS
    /// Code let a project permit commands. For these clients, commands that only read are
    /// permitted. These files instruct the agents of everyone who gets them, so they are written
    /// only on request.
    #[arg(long, requires = "agent")]
    pub(crate) skill: bool,

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
    /// Any agent that reads `AGENTS.md`.
    AgentsMd,
}

/// Remove what `init` installed.
///
/// Restores the hooks, the configuration and agents' files as they were before `git cora init`,
/// byte for byte. Lines that you added since stay. A file that can't be restored is reported, and
/// the others are restored. The index and its cache stay: the last two examples remove them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git cora uninstall
  git for-each-ref --format='delete %(refname)' refs/cora/ refs/cora-local/ | git update-ref --stdin
  rm -r \"$(git rev-parse --git-common-dir)/cora\"")]
pub(crate) struct Uninstall {
    /// Whether anything is done.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,
}

/// Show a manual page, or install all of them.
///
/// `git cora --help` asks Git for the manual page, and Git asks `man`. A package installs the
/// pages, but `cargo install` can't. `git cora man --install` writes the pages to a directory that
/// `man` searches. This is `share/man` next to the program's `bin` directory. If the program is not
/// in a directory called `bin`, it is `~/.local/share/man`. `git cora man --remove` deletes the
/// pages.
///
/// Without these options, the command shows a page, whether the pages are installed or not.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  git cora man query
  git cora man --install     # from then on 'git cora --help' works
  git cora man --remove")]
pub(crate) struct Man {
    /// The command whose page is shown; without it, the page of `git cora`.
    #[arg(value_name = "COMMAND", conflicts_with_all = ["install", "remove"])]
    pub(crate) page: Option<String>,

    /// Install all pages.
    #[arg(long)]
    pub(crate) install: bool,

    /// Delete the installed pages.
    #[arg(long, conflicts_with = "install")]
    pub(crate) remove: bool,

    /// Install into DIR, or delete from it, for example `/usr/local/share/man`.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,

    /// Whether anything is done.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,
}

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
    in between), and how many files, chunks and objects were stored",
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

/// Search the working tree or a revision.
///
/// Searches by meaning, words (identifiers whole and split), names of declarations, and paths. TEXT
/// may be a question, a name, a path, an error message with its stack trace, or a whole issue. The
/// filters `path:`, `lang:`, `kind:` and `symbol:` in TEXT narrow the search.
///
/// A phrase in double quotes must match exactly if it starts TEXT or is nearly all of it. Inside a
/// longer sentence, such as a pasted error message, quotes are ignored.
///
/// Results come best first. Each is a range of lines in one file, with the symbol that it belongs
/// to. A score orders the results of one query; scores of different queries can't be compared.
/// Lines are counted from 1. If nothing answers clearly, a note says so.
///
/// Usually a file appears once. `--all-chunks` shows all its matches. A question such as "what
/// calls parse_header" shows all references. For a long text (an issue, a log, a stack trace),
/// several functions of a file may appear. The second and later ones are ranked a little lower.
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
    `score`, `relevance` and `text`) and more, as documented in the JSON schema",
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
    /// the references (no guesses) that connect the result with another repository. Without REV the
    /// working tree is searched.
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
    /// SYMBOL is a name or a symbol path, as `git cora list` prints it. `:signature` at the end
    /// shows only its doc comment and signature.
    #[arg(help_heading = RESULTS, long, value_name = "FILE[:SYMBOL[:signature]]", conflicts_with = "batch")]
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
    #[arg(help_heading = FILTERS, long, value_name = "N", value_parser = relevance)]
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
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, overrides_with = "json")]
    pub(crate) format: Option<Format>,

    /// Write JSON instead of text.
    #[arg(help_heading = OUTPUT, long, overrides_with = "format")]
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
    /// or against the file. The contributions add up to the score.
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

/// Show what an index holds.
///
/// Counts files, chunks, declarations, lines and bytes of source by language, the indexed commits
/// of the repository, and the skipped files by reason.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git cora stats\n  git cora stats --rev v1.0 --skipped\n  git cora stats --unparsed"
)]
#[command(mut_args(json_of(
    "one object: `commit`, totals, `languages` and `skipped`; with `--unparsed`, \
    `unparsed` too",
)))]
pub(crate) struct Stats {
    /// Which index.
    #[command(flatten)]
    pub(crate) revision: CommitRevision,

    /// List every skipped file with the reason.
    #[arg(long)]
    pub(crate) skipped: bool,

    /// Measure how much code of each language the parser can't parse.
    ///
    /// Parses every file again, because an index does not store this. Prints the share of bytes
    /// that the grammar can't assign to any construct, and the files with the most such bytes.
    /// Languages that are parsed without a grammar are left out.
    #[arg(long)]
    pub(crate) unparsed: bool,

    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// List declarations.
///
/// Prints one declaration per line, ordered by path and line: place, kind, symbol. The exit status
/// is 1 if nothing matches. A plain field and a constant of an enumeration belong to their type; in
/// most languages they are not declarations of their own.
#[derive(Debug, clap::Args)]
#[command(after_help = LIST_EXAMPLES)]
#[command(mut_args(json_of(
    "one object per line: `path`, `line`, `start_line`, `end_line`, `kind`, `symbol` and \
    `language` of a declaration; no line if nothing matches",
)))]
#[command(mut_args(declarations_only))]
pub(crate) struct List {
    /// Only symbols that match PATTERN.
    ///
    /// `*` stands for any characters, `?` for one. Without either, PATTERN may be any part of the
    /// symbol. Case matters only if PATTERN has a capital letter.
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: Option<String>,

    /// Which revision.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// Which files and declarations.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// How many declarations.
    #[command(flatten)]
    pub(crate) limit: Limit,

    /// How the list is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Show what refers to a declaration, and what it refers to.
///
/// Names are resolved by what the source says: imports, qualifiers, declared types, the surrounding
/// type or file, supertypes. References that are certain come first. A guess, such as a method of
/// an object of unknown type, is marked with `?`. The exit status is 1 if no declaration has that
/// name.
#[derive(Debug, clap::Args)]
#[command(after_help = REFS_EXAMPLES, aliases = ["symbol"])]
#[command(mut_args(json_of(
    "one object: `symbols` (each with its place, `callers`, `callees` and `implementers`) \
    and `more`. If nothing has that name, the lists are empty, and `similar` lists similar names",
)))]
pub(crate) struct Refs {
    /// The declaration: NAME, TYPE.NAME, PATH:NAME or PATH:LINE.
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: OsString,

    /// Only what calls or constructs it, or refers to it as a type.
    #[arg(long)]
    pub(crate) callers: bool,

    /// Only what it calls or constructs, or refers to as a type.
    #[arg(long)]
    pub(crate) callees: bool,

    /// Only the types that inherit or implement it.
    #[arg(long)]
    pub(crate) implementers: bool,

    /// Follow references up to N steps.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(crate) depth: u8,

    /// Leave guesses out.
    #[arg(long)]
    pub(crate) certain: bool,

    /// How long the lists are.
    #[command(flatten)]
    pub(crate) limit: ListLimit,

    /// Which revision.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// Use the repository that contains PATH, at revision REV, instead of the current one; may be
    /// repeated.
    ///
    /// SYMBOL is looked up in all of them. Imports connect them: callees include what an
    /// application uses from a library, and callers include the library's users. Each place says
    /// which repository it is from. Without REV the working tree is used. A path in SYMBOL starts
    /// at the root of its repository.
    #[arg(long, value_name = "PATH[@REV]", conflicts_with = "rev")]
    pub(crate) repo: Vec<String>,

    /// Write JSON instead of text.
    #[arg(help_heading = OUTPUT, long, overrides_with = "format")]
    pub(crate) json: bool,

    /// How the lists are written. With `paths` and `files`, `--limit` is the number of lines.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, overrides_with = "json")]
    pub(crate) format: Option<RefsFormat>,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// How references are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RefsFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// One `path:line: symbol` per line, without repeats: what refers to the declaration; with
    /// `--callees`, what it refers to.
    Paths,
    /// Only the files of these places, one path per line, without repeats.
    Files,
}

/// Show what is connected to a place by references.
///
/// Follows calls, types and supertypes from the chunk around a line, in both directions, and lists
/// the nearest places. Rarely used names count more, guesses count less.
#[derive(Debug, clap::Args)]
#[command(after_help = RELATED_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `place`, `related` and `more`. If no file has that path, `similar` lists \
    similar paths",
)))]
pub(crate) struct RelatedArgs {
    /// The place: PATH:LINE, or PATH for its beginning.
    #[arg(value_name = "PATH:LINE", value_hint = ValueHint::FilePath)]
    pub(crate) place: OsString,

    /// Show at most N places; `-n` means the same.
    #[arg(help_heading = RESULTS, short = 'k', short_alias = 'n', long, value_name = "N", default_value = "10", value_parser = positive)]
    pub(crate) limit: NonZeroUsize,

    /// Which revision.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// Use the repository that contains PATH, at revision REV, instead of the current one; may be
    /// repeated.
    ///
    /// In PATH:LINE, the path starts at the root of its repository. If several repositories have
    /// that file, the first is used. References to and from the other repositories are listed too.
    /// Each place says which repository it is from. Without REV the working tree is used.
    #[arg(long, value_name = "PATH[@REV]", conflicts_with = "rev")]
    pub(crate) repo: Vec<String>,

    /// How the list is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Show the declarations that matter most, by file.
///
/// Outlines the repository for a newcomer or a language model. Lists the functions and types that
/// other code depends on most, each with its line and signature, as many as fit the budget. With
/// a question (words, or a whole issue), results for it come first, then what they refer to. With
/// `--file`, declarations that these files refer to, or that refer to them, come first. Tests are
/// left out unless a question finds them. The exit status is 1 if there is nothing to show.
#[derive(Debug, clap::Args)]
#[command(after_help = MAP_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `commit`, `introduction`, `files` with their declarations, and `cut` if \
    the budget left some out",
)))]
#[command(mut_args(declarations_only))]
pub(crate) struct Map {
    /// The question for the map; several words need no quotes, `-` reads standard input.
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    /// A file that you are working on: the map leaves out this file, and declarations connected
    /// with it come first; may be repeated.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Vec<OsString>,

    /// Print at most N tokens (encoding cl100k_base), as text or as JSON.
    #[arg(long, value_name = "N", default_value = "1024", value_parser = positive)]
    pub(crate) tokens: NonZeroUsize,

    /// Which files and declarations.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// Which revision.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// How it is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Write a page about a file or a declaration.
///
/// Writes one Markdown document. For a declaration, it has the comments from the source, the
/// signature and the members. It lists the types that inherit or implement it, the callers and the
/// callees. For a file, it lists the files that use this file, and the files that this file uses.
/// Names are links, relative to the root of the repository. Guesses are marked, as in `git cora
/// refs`. The exit status is 1 if no file or declaration has that name.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `title`, `commit`, `subjects` (each with its place, `signature`, `doc`, \
    `members` and `related`) and `more`. The budget does not apply. If nothing has that \
    name, the lists are empty, and `similar` lists similar names",
)))]
pub(crate) struct Explain {
    /// What to explain: PATH, PATH:SYMBOL, PATH:LINE or SYMBOL.
    ///
    /// A symbol is a name or a symbol path, as `git cora list` prints it, or the title of a
    /// section. PATH starts in the current directory. If no such file is there, it starts at the
    /// root of the repository, as paths are printed.
    #[arg(value_name = "PATH[:SYMBOL]", value_hint = ValueHint::FilePath)]
    pub(crate) place: OsString,

    /// How long the lists are.
    #[command(flatten)]
    pub(crate) limit: ListLimit,

    /// Link to the web host of `origin`, at the commit.
    ///
    /// Works for GitHub, GitLab, Bitbucket, Codeberg, SourceHut, and servers whose names contain
    /// one of these names. Files that differ from the commit keep relative links.
    #[arg(long)]
    pub(crate) permalinks: bool,

    /// Keep the page within N characters.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) length: Option<NonZeroUsize>,

    /// Keep the page within N tokens of a language model, counted with the encoding `cl100k_base`.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) tokens: Option<NonZeroUsize>,

    /// Which revision.
    #[command(flatten)]
    pub(crate) revision: Revision,

    /// How the page is written. JSON is complete, whatever the budget.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Show what is recorded about a file.
///
/// Prints a file's record: its chunks with line ranges, its declarations, its keywords, and what it
/// refers to. A search uses these to find the file. With a line, only the chunk at that line is
/// shown, with its text.
#[derive(Debug, clap::Args)]
#[command(after_help = SHOW_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `path`, `commit`, `blob`, `language`, `chunks` and `declarations`. For a \
    skipped file, `skipped` is the reason",
)))]
pub(crate) struct Show {
    /// The file: PATH, PATH:LINE, or REV:PATH as in `git show`.
    ///
    /// PATH starts in the current directory. If no such file is there, it starts at the root of the
    /// repository, as paths are printed. In REV:PATH it starts at the root, unless it begins with
    /// `./` or `../`.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: OsString,

    /// Which revision.
    #[command(flatten)]
    pub(crate) revision: CommitRevision,

    /// Show only chunk N, with its text; counted from 1.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) chunk: Option<NonZeroUsize>,

    /// Show the four sections of the record as they are stored, with their sizes.
    ///
    /// They are the chunk table, the embeddings, the keywords with the chunks that have them, and
    /// the references with the chunks that make them. Common words, which a record stores as
    /// numbers, are printed faint.
    #[arg(long, conflicts_with_all = ["chunk", "json", "format"])]
    pub(crate) raw: bool,

    /// How the record is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Show which declarations differ between two commits, or from the working tree.
///
/// Prints one declaration per line, ordered by path and line: what happened to it (added, changed,
/// moved, removed), its place, kind and symbol. A change to a method does not count as a change to
/// its class, but a change to a nested function counts as a change to the function around it.
/// Indentation alone is not a change, except in languages where it has meaning. A declaration
/// counts as moved if it is in another place or has another name, and most of its text is the same.
/// A very short declaration is recognised by its name alone.
///
/// Commits are named as in `git diff`. Without arguments, the working tree is compared with HEAD.
/// `A` alone compares the working tree with A; in a bare repository, it compares HEAD with A. `A B`
/// and `A..B` compare two commits. `A...B` compares B with the commit where it branched off from A.
/// An omitted side of a range is HEAD. Untracked files count as part of the working tree, unless
/// Git ignores them. Paths may follow the commits. A word before `--` is a commit, and a word after
/// it is a path. Without `--`, a word that can be both is a commit.
///
/// In JSON, `new` is null and `worktree` is true if the working tree was compared. `more` is the
/// number of declarations that `--limit` left out. Commits are indexed first if necessary. The exit
/// status is 1 if no declaration differs.
#[derive(Debug, clap::Args)]
#[command(after_help = DIFF_EXAMPLES, aliases = ["changes"])]
#[command(mut_args(json_of(
    "one object: `old`, `new`, `worktree`, `changes` (each with `change`, `kind`, \
    `language`, `old` and `new`) and `more`",
)))]
#[command(mut_args(declarations_only))]
pub(crate) struct Diff {
    /// The commits: `A`, `A B`, `A..B` or `A...B`; without them, the uncommitted changes.
    #[arg(value_name = "REV")]
    pub(crate) words: Vec<OsString>,

    /// Which files and declarations.
    #[command(flatten)]
    pub(crate) filter: Filter,

    /// How many declarations.
    #[command(flatten)]
    pub(crate) limit: Limit,

    /// Only files that match the pathspecs; the same as `--path`.
    #[arg(value_name = "PATHSPEC", last = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<OsString>,

    /// How the list is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Show what a change affects beyond its lines.
///
/// Shows the impact of the uncommitted changes, of a range of commits, or of a change to one
/// declaration. First come declarations that were removed, renamed or moved, or that have a new
/// signature. Those with callers outside the change are listed first, because these callers may
/// break. Then come declarations whose body changed, indirect callers, and tests to run. After
/// these come documents and settings that mention a changed declaration. At the end are files that
/// usually change in the same commits, but did not change this time.
///
/// Callers are searched for in the state before the change, so callers of a removed declaration are
/// found. A caller is certain if imports, types or scopes leave no doubt. Otherwise it is a guess,
/// marked `?`. An indirect caller is certain only if every step to it is. If a caller refers to
/// another declaration after the change, the output names that declaration. Callers in other
/// repositories, and calls by reflection or configuration, are not found. If a file contains the
/// name, but the reference could not be resolved, the file is listed too.
///
/// `A B` and `A..B` compare two commits. `A...B` compares B with the commit where it branched off
/// from A. An omitted side of a range is HEAD. Both commits are indexed first if necessary. The
/// exit status is 1 if no declaration changed, or if no declaration has that name. With
/// `--fail-on`, the exit status is 1 only if there is the finding that you name.
#[derive(Debug, clap::Args)]
#[command(after_help = IMPACT_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `old`, `new`, `declarations` with their callers, `farther`, `tests`, \
    `mentions` and `companions`. `broken_callers` counts callers that may break. For a \
    declaration that does not exist, the lists are empty, and `similar` lists similar names",
)))]
pub(crate) struct Impact {
    /// Two commits (`A B`, `A..B` or `A...B`), or a declaration: NAME, TYPE.NAME, PATH:NAME or
    /// PATH:LINE; without it, the uncommitted changes.
    #[arg(value_name = "A..B|DECLARATION")]
    pub(crate) words: Vec<OsString>,

    /// Look for the declaration in revision REV instead of the working tree.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Only changed files that match the pathspec SPEC; may be repeated.
    #[arg(help_heading = FILTERS, long, value_name = "SPEC", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<OsString>,

    /// Only changed files that match the pathspecs; the same as `--path`.
    #[arg(value_name = "PATHSPEC", last = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<OsString>,

    /// Follow callers this many steps, at most 8.
    #[arg(help_heading = RESULTS, long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(crate) depth: u8,

    /// Leave out guesses.
    #[arg(help_heading = RESULTS, long)]
    pub(crate) certain: bool,

    /// How long the lists are.
    #[command(flatten)]
    pub(crate) limit: ListLimit,

    /// Exit with status 1 on this finding, and with 0 if there is none.
    ///
    /// At most 400 changed declarations are checked for callers. With this option, the limit does
    /// not apply to declarations that were removed, renamed or moved, or that have another
    /// signature. So a large change takes longer. If the search fails, the exit status is 2. So 0
    /// always means that the search is complete.
    #[arg(help_heading = RESULTS, long, value_name = "WHAT", value_enum)]
    pub(crate) fail_on: Option<ImpactFailure>,

    /// Write JSON instead of text.
    #[arg(help_heading = OUTPUT, long, overrides_with = "format")]
    pub(crate) json: bool,

    /// How the answer is written.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, overrides_with = "json")]
    pub(crate) format: Option<ChangeFormat>,

    /// Keep the answer within N tokens of a language model.
    ///
    /// Tokens are counted with the encoding `cl100k_base`. All lists are cut to the same length.
    #[arg(help_heading = OUTPUT, long, value_name = "N", value_parser = positive)]
    pub(crate) tokens: Option<NonZeroUsize>,

    /// Keep the answer within N characters.
    ///
    /// GitHub accepts comments of up to 65,536 characters.
    #[arg(help_heading = OUTPUT, long, value_name = "N", value_parser = positive)]
    pub(crate) length: Option<NonZeroUsize>,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// List what a range of commits did to the API.
///
/// Lists declarations that were removed, renamed, moved or added, or whose signature or visibility
/// changed. Public declarations come first. What is public depends on the language: `pub` in Rust,
/// a capital letter in Go, no leading underscore in Python, `export` in JavaScript, access
/// modifiers elsewhere. An `impl` in Rust is public if its type and its trait are. In Rust, Python,
/// JavaScript and TypeScript, a declaration in a private module is public only if a public module
/// re-exports it. For a class that was added or removed, only the number of its members is shown. A
/// prototype in C or C++ is listed with its definition. Tests, and declarations that differ only in
/// their body or documentation, are counted but not listed.
///
/// Both commits are indexed first if necessary. The exit status is 1 if nothing is listed.
#[derive(Debug, clap::Args)]
#[command(after_help = CHANGELOG_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `old`, `new`, `entries` and `more`. `changed_inside` and `tests` count \
    what is not listed",
)))]
pub(crate) struct Changelog {
    /// The commits: `A B`, `A..B`, or `A` for the commits up to HEAD.
    ///
    /// `A...B` lists what changed on branch B since it branched off from A. An omitted side of a
    /// range is HEAD.
    #[arg(value_name = "A..B", required = true)]
    pub(crate) words: Vec<OsString>,

    /// Leave out internal declarations.
    #[arg(help_heading = FILTERS, long)]
    pub(crate) public: bool,

    /// Only files that match the pathspec SPEC; may be repeated.
    #[arg(help_heading = FILTERS, long, value_name = "SPEC", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<OsString>,

    /// Only files that match the pathspecs; the same as `--path`.
    #[arg(value_name = "PATHSPEC", last = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<OsString>,

    /// How long the lists are.
    #[command(flatten)]
    pub(crate) limit: Limit,

    /// Write JSON instead of text.
    #[arg(help_heading = OUTPUT, long, overrides_with = "format")]
    pub(crate) json: bool,

    /// How the list is written.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, overrides_with = "json")]
    pub(crate) format: Option<ChangeFormat>,

    /// Keep the list within N tokens of a language model.
    ///
    /// Tokens are counted with the encoding `cl100k_base`. All lists are cut to the same length.
    #[arg(help_heading = OUTPUT, long, value_name = "N", value_parser = positive)]
    pub(crate) tokens: Option<NonZeroUsize>,

    /// Keep the list within N characters.
    ///
    /// The notes of a release on GitHub may have at most 125,000 characters.
    #[arg(help_heading = OUTPUT, long, value_name = "N", value_parser = positive)]
    pub(crate) length: Option<NonZeroUsize>,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// What makes `impact` fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImpactFailure {
    /// A caller outside the change refers to a declaration that was removed or has another
    /// signature; guesses do not count.
    Broken,
    /// The same, but guesses count too.
    Guess,
}

/// How a report about changes is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChangeFormat {
    /// For people.
    Text,
    /// For a comment or a document.
    Markdown,
    /// For programs.
    Json,
}

/// Show the history of a declaration.
///
/// Lists the commits that changed it, newest first, with what each changed: signature, body,
/// documentation, annotations, layout. `members` means that only a method or another declaration in
/// it changed. The history continues through renames, moves between files, and moves to another
/// class or module. The last line says how the declaration began: `added`, `copied` from a
/// declaration that still exists, `split` from a larger one, or `cut off` because the clone is
/// shallow or lacks older files. For a declaration that no longer exists, write PATH:NAME; its
/// history begins with the commit that removed it. If several declarations have the name, such as
/// overloads, the first is shown, and a note lists the others.
///
/// If a commit moved the declaration, the old place is searched for only in files that this commit
/// changed. At a merge, only the side that has the same declaration is followed, or all sides if
/// none has it. If a declaration was removed and added again, its history begins with the newer
/// commit. Grafts and replacement refs are ignored.
///
/// Commits need no index. A history is kept in the repository's cache, so the next call is fast.
/// The exit status is 1 if no declaration has that name.
#[derive(Debug, clap::Args)]
#[command(after_help = LOG_EXAMPLES, aliases = ["history"])]
#[command(mut_args(json_of(
    "one object: `declaration`, `others` (more declarations of that name), `commits` \
    (each with `commit`, `date`, `author`, `subject`, `changes`, `new` and `old`), \
    `more` and `notes`. If nothing has that name, the lists are empty, and `similar` \
    lists similar names",
)))]
pub(crate) struct Log {
    /// The declaration: NAME, TYPE.NAME, PATH:NAME or PATH:LINE, as in HEAD or `--rev`.
    #[arg(value_name = "DECLARATION")]
    pub(crate) declaration: OsString,

    /// How many commits.
    #[command(flatten)]
    pub(crate) limit: Limit,

    /// Show the lines of the declaration that each commit changed.
    #[arg(help_heading = OUTPUT, short, long)]
    pub(crate) patch: bool,

    /// Start from revision REV instead of HEAD.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// How the history is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Find when something was added, and when it was removed.
///
/// Finds the commit that added a declaration or some text, and the first release with it. If it was
/// removed, finds that commit too, and the first release without it. A release is a tag with a
/// number in its name. An earlier tag of a preview, such as a release candidate, is shown next to
/// the release.
///
/// A declaration is followed through renames and moves, as in `git cora log`. If several
/// declarations have the name, the first is followed, and a note lists the others.
///
/// Any other text is searched for in the files of each commit, from the oldest commit to the
/// newest. The commit that is shown has the text, and none of its parents has it. A word without
/// quotes must match a whole word: `pop` does not match `popup`. Quoted text must match exactly,
/// and may begin or end inside a word. Text that begins with a dash needs such quotes: `'"--all"'`.
/// Pathspecs make the search faster, but with them a declaration is searched for as text.
///
/// In a shallow clone, the answer says that older commits are unknown. The exit status is 1 if no
/// commit has the text.
#[derive(Debug, clap::Args)]
#[command(after_help = WHEN_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `of` says whether `declaration` or `text` was found. `added` and \
    `removed` have `commit`, `date`, `author` and `release`. If nothing was found, \
    `added` is null, and `similar` lists similar names",
)))]
pub(crate) struct WhenArgs {
    /// A name, a question, or text in double quotes; several words need no shell quotes.
    #[arg(value_name = "TEXT", required = true)]
    pub(crate) text: Vec<String>,

    /// Search the history of revision REV instead of HEAD.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Search for the text, even if a declaration has that name.
    #[arg(long)]
    pub(crate) text_only: bool,

    /// Only files that match the pathspec SPEC; may be repeated.
    #[arg(help_heading = FILTERS, long, value_name = "SPEC", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<OsString>,

    /// Only files that match the pathspecs; the same as `--path`.
    #[arg(value_name = "PATHSPEC", last = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<OsString>,

    /// How the answer is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Show who wrote a declaration.
///
/// Lists the authors by their share of the lines, and the commit that last changed the declaration.
/// Lines are credited by `git blame`, so `.mailmap`, `blame.ignoreRevsFile` and other settings of
/// `git blame` apply. Uncommitted changes do not count. In a shallow clone, the authors of older
/// lines are unknown. If several declarations have the name, the first is shown, and a note lists
/// the others.
///
/// The exit status is 1 if no file or declaration has that name.
#[derive(Debug, clap::Args)]
#[command(after_help = BLAME_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `path`, `declaration`, `others` (more declarations of that name), \
    `lines`, `authors`, `commits` and `last`, the last change. If nothing has that name, \
    the lists are empty, and `similar` lists similar names",
)))]
pub(crate) struct Blame {
    /// The declaration: NAME, TYPE.NAME, PATH:NAME or PATH:LINE; or a whole file: PATH.
    #[arg(value_name = "DECLARATION|PATH")]
    pub(crate) declaration: OsString,

    /// Credit moved and copied lines to their first author, as `git blame -M -C` does.
    #[arg(long)]
    pub(crate) moves: bool,

    /// Look at revision REV instead of HEAD.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// How the answer is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
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
/// repository. Drops the refs of the others. The next `git gc` deletes the objects. The only cost
/// is the time to index again. Vectors of remote models are dropped with the indexes of their
/// commits. The newest vectors of each model are kept, because computing them again would cost
/// money. Refs below `refs/cora/` that can't be used, for example after a crash, are dropped too.
///
/// With `--remote` it deletes from a remote instead: the indexes, vectors and commentary of commits
/// that no branch or tag of the remote reaches. These are commits that were rewritten there, or
/// that were never public.
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
  git cora ask --dry-run 'how are retries bounded?'       # what would be sent, and where
  git cora ask --trace t.json 'how are retries bounded?'
  git cora ask --resume t.json                            # sends no request twice")]
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
/// The model writes a short paragraph on each: what it does and what it is for. The paragraphs are
/// stored under `refs/cora/commentary/<commit>`. Queries find chunks by them; `--json`,
/// `--format rag` and `git cora explain` show them, marked as generated, with the model's name.
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

/// Write an index to a PostgreSQL database.
///
/// Use it for more repositories than one machine can hold. Each chunk becomes a row with its place,
/// symbol, embedding and words, and `git cora query --store` searches all of them. The database
/// needs the extension pgvector. Unchanged files are not written again, and an interrupted export
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

/// Check the set-up and suggest what to do.
///
/// Checks Git's version, the hooks, the index of HEAD, settings, caches, and failures of background
/// indexing. Recomputes 20 records, as `git cora verify --sample 20` does. Each problem and each
/// note comes with advice. A `note`, such as missing hooks, needs no action. The exit status is 1
/// if there is a `problem`.
#[derive(Debug, clap::Args)]
#[command(aliases = ["status"])]
#[command(mut_args(json_of(
    "one object: `ok` and `checks`, each with `check`, `level`, `found` and `advice`",
)))]
pub(crate) struct Doctor {
    /// How the report is written.
    #[command(flatten)]
    pub(crate) json: Json,

    /// How text is displayed.
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Serve coding agents over the Model Context Protocol.
///
/// Speaks the protocol on standard input and output. Serves the repositories that you name, by
/// default the current one. An agent's client starts the server; `git cora init --agent` writes the
/// configuration for that. The tools are `query`, `refs`, `read`, `map`, `diff` and `history`. They
/// work in the working tree and at any revision. A repository without an index is indexed in the
/// background. With `cora.ann` set to `hnsw`, results by meaning may differ a little from those of
/// `git cora query`. The server ends when the client closes standard input.
#[derive(Debug, clap::Args)]
#[command(after_help = MCP_EXAMPLES)]
pub(crate) struct Mcp {
    /// The repositories to serve; without REPO, the current one.
    ///
    /// With several, all are searched, references between them are followed, and each path begins
    /// with the name of its repository's directory.
    #[arg(value_name = "REPO", value_hint = ValueHint::DirPath)]
    pub(crate) repositories: Vec<PathBuf>,
}

/// Serve editors over the Language Server Protocol.
///
/// Speaks the protocol on standard input and output. An editor starts the server and says which
/// folders it works in. The server answers about repositories that contain one of these folders, or
/// that are inside one. It finds symbols by name, or by a description in plain words. It also gives
/// definitions, references, implementations, the call hierarchy and hovers. It needs no build,
/// knows all languages of the index, and works next to a language's own server. Unsaved changes
/// count. A repository without an index is indexed in the background. The exit status is 1 if the
/// connection ends without the request `shutdown`.
#[derive(Debug, clap::Args)]
#[command(after_help = LSP_EXAMPLES)]
pub(crate) struct Lsp {
    /// Answer from revision REV instead of the working tree.
    ///
    /// The editor's option `revision` overrides this. Files of a revision have addresses that begin
    /// with `git-cora:`.
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Leave guesses out.
    ///
    /// The editor's option `certainOnly` overrides this.
    #[arg(long)]
    pub(crate) certain: bool,

    /// Use standard input and output, as always: some editors add this flag.
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}

/// Serve programs over HTTP, and a web page for people.
///
/// The page at `/` searches any revision, and shows source, references, and why a result was found.
/// Programs use `POST /coderag/query`, `GET /healthz`, `GET /metrics` and other routes, described
/// at `/openapi.json`. The server reads only the repositories that you name and those under
/// `--root`. Without either, it serves the current repository. Clients need a token. The first
/// start creates and prints the token, and stores it in a file that only its owner can read. With
/// `cora.ann` set to `hnsw`, results by meaning may differ a little from those of `git cora query`.
/// Requests are logged to standard error as JSON lines, without questions or results. After Ctrl-C
/// the server finishes running requests, and then stops.
///
/// At each start the page's address is printed with a key after `#`. This address opens the page
/// once, within an hour, in a browser on this machine. The browser exchanges the key for the token
/// and keeps the token until the tab is closed. `--open` opens the address for you.
#[derive(Debug, clap::Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct Serve {
    /// The repositories to serve.
    #[arg(value_name = "REPO", value_hint = ValueHint::DirPath)]
    pub(crate) repositories: Vec<PathBuf>,

    /// Listen on ADDRESS, an IP address and a port; with port 0, the server picks a free port and
    /// prints it.
    ///
    /// Nothing is encrypted. Unless you trust the network, do not use an address that other
    /// machines can reach.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8417")]
    pub(crate) listen: SocketAddr,

    /// Open the page in a browser.
    #[arg(long)]
    pub(crate) open: bool,

    /// Also serve every repository under DIR; may be repeated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) root: Vec<PathBuf>,

    /// Keep the token in FILE.
    ///
    /// The default is `git-cora/token` in `$XDG_STATE_HOME` or `~/.local/state`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) token_file: Option<PathBuf>,

    /// Accept HOST as a name of this server; may be repeated.
    ///
    /// Loopback names are always accepted, and so is the listening address, unless it stands for
    /// all addresses (`0.0.0.0`). Requests with another `Host` header are rejected, because a web
    /// page could otherwise reach this server.
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,

    /// Accept requests from web pages of ORIGIN, such as `https://example.org`; may be repeated.
    ///
    /// The server answers the preflight requests of browsers for these pages. They need the token,
    /// too.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
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

/// Do the work of a Git hook.
///
/// Called by the hooks, not by people. Whatever happens, it exits with 0 and prints nothing: a
/// failing index must not fail a commit. So EVENT may be any word, followed by any arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Hook {
    /// The hook's name, such as `post-commit`.
    #[arg(value_name = "EVENT")]
    pub(crate) event: OsString,

    /// The hook's own arguments.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) args: Vec<OsString>,
}

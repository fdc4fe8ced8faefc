//! The flags that several commands share, and their values. Each flag is defined once, in a struct
//! that those commands flatten.

use std::ffi::OsString;
use std::num::NonZeroUsize;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ValueEnum, ValueHint};

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

/// Heading of the flags that every command has, to separate them from a command's own flags.
pub(super) const GENERAL: &str = "General options";

/// Headings of flags that say what is searched, narrow it, shape the results, and write them.
pub(super) const SCOPE: &str = "What to search";
pub(super) const FILTERS: &str = "Filters";
pub(super) const RESULTS: &str = "Results";
pub(super) const OUTPUT: &str = "Output";

/// `--json`, for the commands that write a report. Each command adds [`json_of`].
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Json {
    /// Write JSON instead of text.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) json: bool,

    /// The same choice by name.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, hide = true)]
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
    #[arg(
        help_heading = RESULTS,
        short = 'k',
        short_alias = 'n',
        long,
        value_name = "N",
        default_value = "20",
        value_parser = positive,
    )]
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
    #[arg(
        help_heading = FILTERS,
        long,
        value_name = "KIND",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(DECLARATION_KINDS.into_iter().chain(CHUNK_KINDS)),
    )]
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

/// Parses a number, 1 or more.
pub(super) fn positive(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number, 1 or more".to_owned())
}

/// Returns the change of a command's arguments that says in the help of `--json` what its JSON is.
///
/// `object` continues the word "Prints". The flag is shared, but each command has its own report.
pub(super) fn json_of(object: &'static str) -> impl Fn(Arg) -> Arg {
    move |arg| match arg.get_id().as_str() {
        "json" => arg.long_help(format!(
            "Write JSON instead of text.\n\nPrints {object}. Later versions may add fields, but keep the \
             meaning of the existing ones. `--format json` means the same. `--json` with any other \
             format is an error."
        )),
        _ => arg,
    }
}

/// Returns the change of a command's arguments that limits `--kind` to kinds of declarations.
pub(super) fn declarations_only(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "kind" => arg
            .value_parser(PossibleValuesParser::new(DECLARATION_KINDS))
            .help("Only this kind of declaration; may be repeated")
            .long_help("Only this kind of declaration; may be repeated.\n\nCommas separate several."),
        _ => arg,
    }
}

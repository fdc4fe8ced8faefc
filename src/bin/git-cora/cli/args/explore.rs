//! The commands of "Explore": `map`, `list`, `refs`, `related`, `explain`, `show` and `stats`.

use std::ffi::OsString;
use std::num::NonZeroUsize;

use clap::{ValueEnum, ValueHint};

use super::flag::{
    CommitRevision, Filter, Json, Limit, ListLimit, OUTPUT, RESULTS, Revision, Screen, declarations_only,
    json_of, positive,
};

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

const LIST_EXAMPLES: &str = "\
Examples:
  git cora list 'parse_*'                  # by name
  git cora list --kind method --path src   # by kind and place
  git cora list --rev v1.0 --json          # of a release, for a script";

/// List declarations.
///
/// Prints one declaration per line: place, kind, symbol. Declarations in code come first, then
/// those in documents and settings. Each group is ordered by path and line. The exit status is 1 if
/// nothing matches. In most languages, plain fields and enum members are not listed, because they
/// count as part of their type.
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

const REFS_EXAMPLES: &str = "Examples:
  git cora refs index_commit                    # who calls it, what it calls
  git cora refs Session.answer --callers --depth 2
  git cora refs Progress --implementers
  git cora refs src/index/build.rs:120 --callees --certain --json
  git cora refs Flask --repo . --repo ../flask  # declared there, used here";

/// Show what refers to a declaration, and what it refers to.
///
/// Names are resolved by what the source says: imports, qualifiers, declared types, the surrounding
/// type or file, supertypes. References that are certain come first. A guess, such as a method of
/// an object of unknown type, is marked as one, with the reason. The exit status is 1 if no
/// declaration has that name.
#[derive(Debug, clap::Args)]
#[command(after_help = REFS_EXAMPLES, aliases = ["symbol"])]
#[command(mut_args(json_of(
    "one object: `symbols` (each with its place, `callers`, `callees` and `implementers`) \
    and `more`. If nothing has that name, the lists are empty, and `similar` lists similar names",
)))]
pub(crate) struct Refs {
    /// The declaration: NAME, TYPE.NAME, PATH:NAME or PATH:LINE.
    #[arg(value_name = "DECLARATION")]
    pub(crate) symbol: OsString,

    /// Only what calls or constructs it, or refers to it as a type.
    #[arg(long)]
    pub(crate) callers: bool,

    /// Only what it calls or constructs, or refers to as a type.
    #[arg(long)]
    pub(crate) callees: bool,

    /// Only what inherits, implements or overrides it.
    ///
    /// What overrides a method is listed only with this option.
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
    /// DECLARATION is looked up in all of them. Imports connect them: callees include what an
    /// application uses from a library, and callers include the library's users. Each place says
    /// which repository it is from. Without REV the working tree is used. A path in DECLARATION
    /// starts at the root of its repository.
    #[arg(long, value_name = "PATH[@REV]", conflicts_with = "rev")]
    pub(crate) repo: Vec<String>,

    /// Write JSON instead of text.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) json: bool,

    /// How the lists are written. With `paths` and `files`, `--limit` is the number of lines.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum)]
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
    /// One `path:line: symbol` per line, without repeats: each place that refers to the
    /// declaration, with the line of the reference. With `--callees`: each declaration that it
    /// refers to.
    Paths,
    /// Only the files of these places, one path per line, without repeats.
    Files,
}

const RELATED_EXAMPLES: &str = "Examples:
  git cora related src/index/build.rs:120
  git cora related --rev v1.0 --json lib/retry.py:33
  git cora related src/flask/app.py:81 --repo ../flask --repo ../shop";

/// Show what is connected to a place by references.
///
/// Follows calls, types and supertypes from the chunk around a line, in both directions, and lists
/// the nearest places by their relation. Rarely used names count more, guesses count less. Places
/// that are reached only through other places come last, as `indirect`. They are counted
/// separately.
#[derive(Debug, clap::Args)]
#[command(after_help = RELATED_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `place`, `related`, `more` and `more_indirect`. If nothing has that path or \
    name, `similar` lists similar ones. If several declarations have that name, `similar` \
    lists their places",
)))]
pub(crate) struct RelatedArgs {
    /// The place: PATH:LINE, PATH for its beginning, or the name of a declaration.
    ///
    /// If several declarations have the name, their places are listed, and nothing else.
    #[arg(value_name = "PATH:LINE", value_hint = ValueHint::FilePath)]
    pub(crate) place: OsString,

    /// Show at most N places; `-n` means the same.
    #[arg(
        help_heading = RESULTS,
        short = 'k',
        short_alias = 'n',
        long,
        value_name = "N",
        default_value = "10",
        value_parser = positive,
    )]
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

const MAP_EXAMPLES: &str = "\
Examples:
  git cora map                                # the core of this repository
  git cora map --tokens 4000 --path src
  git cora map retry failed uploads           # for a question
  git cora map --file src/net/client.rs       # around the file at hand
  git cora map --rev v1.0 --json - <issue.md";

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

    /// How many declarations.
    #[command(flatten)]
    pub(crate) limit: Limit,

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

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  git cora explain src/index/build.rs
  git cora explain src/session.rs:Session.answer --rev v1.0
  git cora explain RefStore --permalinks > refs.md
  git cora explain 'doc/guide.md:Set-up' --tokens 1000";

/// Write a page about a file or a declaration.
///
/// Writes one Markdown document. For a declaration, it has the comments from the source, the
/// signature and the members. It also lists the types that inherit or implement the declaration,
/// its callers and its callees. For a file, it lists the files that use this file, and the files
/// that this file uses. Names are links, relative to the root of the repository. Guesses are
/// marked, as in `git cora refs`. The exit status is 1 if no file or declaration has that name.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
#[command(mut_args(json_of(
    "one object: `title`, `commit`, `subjects` (each with its place, `signature`, `doc`, \
    `members` and `related`) and `more`. The budget does not apply. If nothing has that \
    name, the lists are empty, and `similar` lists similar names",
)))]
pub(crate) struct Explain {
    /// What to explain: PATH, PATH:NAME, PATH:LINE or NAME.
    ///
    /// NAME is a name, a name with its qualifiers as `git cora list` prints it, or the title of a
    /// section. PATH starts in the current directory. If no such file is there, PATH starts at the
    /// root of the repository, like the paths in the output.
    #[arg(value_name = "PATH[:NAME]", value_hint = ValueHint::FilePath)]
    pub(crate) place: OsString,

    /// Show at most N items in each list; `-n` means the same.
    ///
    /// Without this flag, all members are shown, and at most 20 items in every other list.
    #[arg(help_heading = RESULTS, short = 'k', short_alias = 'n', long, value_name = "N", value_parser = positive)]
    pub(crate) limit: Option<NonZeroUsize>,

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

const SHOW_EXAMPLES: &str = "\
Examples:
  git cora show src/bin/git-cora/main.rs
  git cora show src/bin/git-cora/main.rs:15
  git cora show v1.0:src/bin/git-cora/main.rs --chunk 3
  git cora show --raw src/bin/git-cora/main.rs";

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
    /// PATH starts in the current directory. If no such file is there, PATH starts at the root of
    /// the repository, like the paths in the output. In REV:PATH it starts at the root, unless it
    /// begins with `./` or `../`.
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

//! The commands of "History": `log`, `when`, `blame`, `diff`, `impact` and `changelog`.

use std::ffi::OsString;
use std::num::NonZeroUsize;

use clap::{ValueEnum, ValueHint};

use super::flag::{
    FILTERS, Filter, Json, Limit, ListLimit, OUTPUT, RESULTS, Screen, declarations_only, json_of, positive,
};

const DIFF_EXAMPLES: &str = "\
Examples:
  git cora diff                      # the uncommitted changes
  git cora diff v1.0 v1.1            # between two releases
  git cora diff main...topic -- src  # a branch, in one directory
  git cora diff --kind function --json HEAD~5";

/// Show which declarations differ between two commits, or between a commit and the working tree.
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

const IMPACT_EXAMPLES: &str = "\
Examples:
  git cora impact                # the uncommitted changes
  git cora impact v1.0 v1.1      # between two releases
  git cora impact main...topic   # a branch, as a pull request shows it
  git cora impact retry_upload   # what a change of this function would touch
  git cora impact --format markdown origin/main...HEAD > comment.md
  git cora impact --fail-on broken main...HEAD    # status 1 if callers break";

/// Show what a change affects beyond its lines.
///
/// Shows the impact of the uncommitted changes, of a range of commits, or of a change to one
/// declaration. First come declarations that were removed, renamed or moved, or that have a new
/// signature. Those with callers outside the change are listed first, because these callers may
/// break. Then come declarations whose body changed, indirect callers, and tests to run. After
/// these come new declarations, and those with changes only in documentation or layout. Documents
/// and settings that mention a changed declaration follow. At the end are files that usually change
/// in the same commits, but did not change this time.
///
/// Callers are searched for in the state before the change, so callers of a removed declaration are
/// found. A caller is certain if imports, types or scopes leave no doubt. Otherwise it is a guess,
/// and marked as one. An indirect caller is certain only if every step to it is. If a caller refers
/// to another declaration after the change, the output names that declaration. Callers in other
/// repositories, and calls by reflection or configuration, are not found. If a file contains the
/// name, but the reference could not be resolved, the file is listed too.
///
/// `A B` and `A..B` compare two commits. `A...B` compares B with the commit where it branched off
/// from A. An omitted side of a range is HEAD. Both commits are indexed first if necessary. The
/// exit status is 1 if no declaration changed, or if no declaration has that name. With
/// `--fail-on`, the exit status is 1 only if the output has the finding that you name.
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
    #[arg(
        help_heading = RESULTS,
        long,
        value_name = "N",
        default_value = "3",
        value_parser = clap::value_parser!(u8).range(1..=8),
    )]
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
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) json: bool,

    /// How the answer is written.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<ChangeFormat>,

    /// Keep the answer within N tokens of a language model.
    ///
    /// Tokens are counted with the encoding `cl100k_base`. Callers that may break get up to half of
    /// the budget first. The other lists share the rest equally.
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

const CHANGELOG_EXAMPLES: &str = "\
Examples:
  git cora changelog v1.0 v1.1
  git cora changelog --public --format markdown v1.0 > notes.md    # up to HEAD
  git cora changelog --json main...topic -- src";

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
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) json: bool,

    /// How the list is written.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<ChangeFormat>,

    /// Keep the list within N tokens of a language model.
    ///
    /// Tokens are counted with the encoding `cl100k_base`. All lists share them equally.
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

const LOG_EXAMPLES: &str = "\
Examples:
  git cora log retry_upload
  git cora log src/upload.rs:42 -k 5
  git cora log --patch src/upload.rs:Uploader.send
  git cora log --rev v1.0 --json parse | jq -r '.commits[].commit'";

/// Show the history of a declaration.
///
/// Lists the commits that changed it, newest first, with what each changed: signature, body,
/// documentation, annotations, layout. `members` means that only a method or another declaration in
/// it changed. The history continues through renames, moves between files, and moves to another
/// class or module. The last line says how the declaration began: `added`, `copied` from a
/// declaration that still exists, or `split` from a larger one. If this clone lacks older commits
/// or files, the line says so. For a declaration that no longer exists, write PATH:NAME. The
/// commit that removed it is listed first. Several declarations may have the name, for example
/// overloads. Then the first is shown, and a note lists the others.
///
/// If a commit moved the declaration, the old place is searched for only in files that this commit
/// changed. At a merge, only a side with an identical declaration is followed. If the declaration
/// differs on every side, all sides that contain it are followed. If a declaration was removed and
/// added again, both commits are listed if few changes of its file are between them. Grafts and
/// replacement refs are ignored.
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

const WHEN_EXAMPLES: &str = "\
Examples:
  git cora when retry_upload         # a declaration, through renames and moves
  git cora when '\"no such pane\"'     # text, exactly as quoted
  git cora when was display-popup introduced
  git cora when linger.ms -- doc '*.md'";

/// Find when something was added, and when it was removed.
///
/// Finds the commit that added a declaration or some text, and the first release with it. If it was
/// removed, finds the commit that removed it too, and the first release without it. A release is a
/// tag with a number in its name. An earlier tag of a preview, such as a release candidate, is
/// shown next to the release.
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

const BLAME_EXAMPLES: &str = "\
Examples:
  git cora blame retry_upload
  git cora blame --moves src/upload.rs:42
  git cora blame --rev v1.0 --json src/upload.rs";

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

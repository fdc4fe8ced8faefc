//! The command line, defined once: the parser, `-h` and `--help`, the man pages, the shell
//! completions and the command reference are all made from these types.
//!
//! Owns the syntax of the command line; each command's own module owns the meaning. It depends on
//! clap, the standard library and `input::relevance` only, because `xtask` compiles these very
//! files to generate the documents. So they can't name types of the library, and kinds and
//! languages are strings, not enums.
//!
//! Each group of commands in the help has a file. The flags that several commands share are defined
//! once, in `flag.rs`. Revisions are `String`s, as Git's own porcelain prints them; paths are
//! `OsString`s, since a path need not be UTF-8.
//!
//! Users read the doc comments: the first paragraph is the one-line help, and the rest appears in
//! `--help` and the man page. They are plain text with `back quotes` around what can be typed.

mod explore;
mod flag;
mod history;
mod index;
mod remote_models;
mod search;
mod serve;
pub(crate) mod setup;

use std::path::PathBuf;

use clap::builder::Styles;
use clap::{ArgAction, CommandFactory as _, Parser, Subcommand, ValueHint};

pub(crate) use self::explore::{Explain, List, Map, Refs, RefsFormat, RelatedArgs, Show, Stats};
use self::flag::GENERAL;
pub(crate) use self::flag::{ColorMode, Json, Screen};
pub(crate) use self::history::{Blame, ChangeFormat, Changelog, Diff, Impact, ImpactFailure, Log, WhenArgs};
pub(crate) use self::index::{Export, Fetch, Index, Prune, Push, Transfer, Verify, Watch};
pub(crate) use self::remote_models::{Annotate, Embed};
pub(crate) use self::search::{Ask, Dialect, Family, Format, Query};
pub(crate) use self::serve::{Lsp, Mcp, Serve};
pub(crate) use self::setup::{Doctor, Hook, Init, Man, Uninstall};

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
    // Git turns `git cora --help` into `man git-cora`, which fails until the pages are installed.
    let names_manual = |arg: clap::Arg| match arg.get_id().as_str() {
        "help" => arg.help("Print help (see more with 'git cora man')"),
        _ => arg,
    };
    // The list above stands for the commands.
    command
        .mut_args(names_manual)
        .override_usage("git cora [OPTIONS] <COMMAND>")
        .mut_subcommands(|sub| sub.hide(true).help_template(EXAMPLES_FIRST))
        .help_template(template)
}

const AFTER_HELP: &str = "\
Examples:
  git cora init                                # index after every commit
  git cora query where are tokens refreshed    # search the working tree
  git cora query --rev v1.2 --lang go retry    # search a release
  git cora push                                # share the index

Exit status: 0 found, 1 nothing found, 2 usage or error, 128 not in a repository, 130 interrupted";

/// Search a Git repository by meaning, words and names, with an index stored in the repository.
///
/// `git cora` finds the places in a repository that answer a question. It searches by meaning,
/// words, names and paths, in the working tree or at any commit. The index of a commit is stored in
/// the repository itself, under `refs/cora/<commit>`. Files that did not change are not analysed
/// again: their stored data is reused. Branches and linked worktrees share this data. `git cora
/// push` and `git cora fetch` share indexes with other people. If you delete an index, you lose
/// only the time to build it again.
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
/// `LESS` and `LV`: options for the pagers `less` and `lv`. If they are not set, Git's defaults
/// apply.
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
/// `CORA_MODEL_API_KEY`: the key for a language model of any other provider. `CORA_EMBED_API_KEY`:
/// the same for an embedding model.
///
/// `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`: the proxy for requests to models, as in
/// curl; all but `http_proxy` may be in capital letters.
///
/// `GIT_SSL_CAINFO` and `GIT_SSL_NO_VERIFY`: how the TLS certificates of model servers are checked,
/// as in Git.
///
/// `PGPASSWORD` and `PGUSER`: the password and the user for PostgreSQL; without `PGUSER`, the user
/// is `USER`.
///
/// `HOSTNAME`: the name of this machine. `git cora serve` compares it with the `checkoutHost` of a
/// request.
///
/// `COMPUTERNAME`: the same on Windows. There, lock files use this name too.
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
    #[arg(
        short = 'C',
        value_name = "DIR",
        global = true,
        help_heading = GENERAL,
        value_hint = ValueHint::DirPath,
        action = clap::ArgAction::Append,
    )]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_fit_a_narrow_terminal() {
        let root = command();
        for command in std::iter::once(&root).chain(root.get_subcommands()) {
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            // A line that begins with blanks is an example. Its rest would read as a command.
            for line in after.lines().filter(|line| line.starts_with("  ")) {
                assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
            }
        }
    }

    #[test]
    fn the_help_names_a_command_that_works() {
        let mut root = command();
        let help = root.render_help().to_string();
        assert!(help.contains("see more with 'git cora man'") && !help.contains("'--help'"), "{help}");
        assert!(help.contains("-V, --version"), "{help}");
        let query = root.find_subcommand_mut("query").map(|query| query.render_help().to_string());
        assert!(query.is_some_and(|help| help.contains("see more with '--help'")));
    }
}

//! The commands of "Set up": `init`, `uninstall`, `doctor` and `man`. Also `hook`, which the
//! installed hooks call.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use super::flag::{DryRun, Json, Screen, json_of};

const INIT_EXAMPLES: &str = "\
Examples:
  git cora init --dry-run
  git cora init
  git cora init --agent claude,cursor    # let these agents search
  git cora init --agent claude --skill   # also tell Claude Code when to search";

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
/// With `--agent`, registers `git cora mcp` with a coding agent instead. This adds an entry to the
/// agent's own file in the working tree, and changes nothing else. With `--skill`, the agent also
/// gets instructions on when to use which command.
#[derive(Debug, clap::Args)]
#[command(after_help = INIT_EXAMPLES)]
pub(crate) struct Init {
    /// Install only the hooks. Change no settings, and index nothing.
    #[arg(long, conflicts_with = "no_hooks")]
    pub(crate) hooks_only: bool,

    /// Install no hooks, but do everything else.
    #[arg(long)]
    pub(crate) no_hooks: bool,

    /// Only add git cora to this coding agent's configuration; may be repeated.
    ///
    /// Adds an entry `cora`, which starts `git-cora mcp`, to the agent's own file: `.mcp.json` for
    /// Claude Code, `.codex/config.toml`, `.cursor/mcp.json`, `.gemini/settings.json`,
    /// `.vscode/mcp.json` or `.zed/settings.json`. `agents-md` adds a marked block to `AGENTS.md`,
    /// which many agents read. Commas separate several agents. With `--dry-run` the resulting file
    /// is printed.
    #[arg(long, value_name = "AGENT", value_enum, value_delimiter = ',', conflicts_with_all = ["hooks_only", "no_hooks"])]
    pub(crate) agent: Vec<Agent>,

    /// Also tell the agent when to search, and permit what only reads.
    ///
    /// Writes a skill to `.claude/skills/` for Claude Code, to `.agents/skills/` for Codex, Gemini
    /// CLI, VS Code and Zed, or a rule to `.cursor/rules/`. In Claude Code and Gemini CLI, the
    /// tools of the server are permitted, and in VS Code, commands of plain words that only read.
    /// These files instruct the agents of everyone who gets them, so they are written only on
    /// request.
    #[arg(long, requires = "agent")]
    pub(crate) skill: bool,

    /// Whether anything is done.
    #[command(flatten)]
    pub(crate) dry_run: DryRun,
}

/// A coding agent that can be configured.
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
  git for-each-ref --format='delete %(refname)' refs/cora/ refs/cora-local/ |
    git update-ref --stdin
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
/// in a directory called `bin`, the pages go to `~/.local/share/man`. `git cora man --remove`
/// deletes the pages.
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

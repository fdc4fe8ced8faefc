//! The context of every command: directory, verbosity, cancellation, session, standard error.
//!
//! Results go to standard output; everything else goes to standard error, with control characters
//! made visible. Messages are printed here, so that `--quiet` and `-v` work the same in every
//! command.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Context as _;

use git_cora::answer::view::{Budget, counted};
use git_cora::base::config;
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{Cancel, NoProgress, Progress, Task};
use git_cora::base::threads::lock;
use git_cora::{Searcher, Session, SessionError, Target};

use super::hint::CommandPlace;
use super::progress::{Bar, Lines, PhasePrinter, took};

/// Exit code after Ctrl-C, the same as a shell's for a process ended by the signal.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;

/// The context of a command.
pub(crate) struct Context {
    directory: Option<PathBuf>,
    is_quiet: bool,
    /// Number of `-v` flags; from 1 on, steps are reported as well.
    pub(crate) verbosity: u8,
    /// Set by Ctrl-C.
    pub(crate) cancel: Cancel,
    /// Where the commands in messages must run.
    place: CommandPlace,
    /// Whether the command line has the word `--`, even as its last one.
    pub(crate) has_separator: bool,
    /// The warnings that were printed.
    warned: Mutex<BTreeSet<String>>,
}

impl Context {
    /// Returns the context of a command with these options: each `-C`, whether `-q`, how many `-v`.
    pub(crate) fn new(directories: &[PathBuf], is_quiet: bool, verbosity: u8) -> Self {
        // As in Git, each directory starts at the one before.
        let directory = (!directories.is_empty()).then(|| directories.iter().collect::<PathBuf>());
        Self {
            is_quiet,
            verbosity,
            cancel: Cancel::default(),
            place: CommandPlace::new(directory.as_deref()),
            directory,
            has_separator: false,
            warned: Mutex::default(),
        }
    }

    /// Sets what only the words of the command line say.
    pub(crate) fn with_words(mut self, words: &[OsString]) -> Self {
        self.has_separator = words.iter().any(|word| word == "--");
        self
    }

    /// Returns a context for words that could not be parsed.
    pub(crate) fn of_words(words: &[OsString]) -> Self {
        let before = || words.iter().skip(1).take_while(|word| *word != "--");
        let values = before().zip(before().skip(1)).filter(|(flag, _)| *flag == "-C");
        let directories: Vec<PathBuf> = values.map(|(_, value)| PathBuf::from(value)).collect();
        let is_quiet = before().any(|word| word == "-q" || word == "--quiet");
        Self::new(&directories, is_quiet, 0).with_words(words)
    }

    /// Returns a message whose commands work from the directory in which they are copied.
    pub(crate) fn with_place<'m>(&self, message: &'m str) -> Cow<'m, str> {
        self.place.in_message(message)
    }

    /// Returns the directory that the command works in.
    pub(crate) fn directory(&self) -> PathBuf {
        self.directory.clone().unwrap_or_else(|| PathBuf::from("."))
    }

    /// Opens the repository. From here on Ctrl-C stops the command at the next safe point. A second
    /// one ends the process immediately, which damages nothing: refs are written last.
    pub(crate) fn session(&self) -> anyhow::Result<Session> {
        self.session_by(&self.directory(), Session::open)
    }

    /// Opens a repository that the user named by its path; see [`Context::session`].
    pub(crate) fn session_at(&self, directory: &Path) -> anyhow::Result<Session> {
        self.session_by(directory, Session::open_named)
    }

    fn session_by(
        &self,
        directory: &Path,
        open: fn(&Path) -> git_cora::session::Result<Session>,
    ) -> anyhow::Result<Session> {
        if let Err(source) = std::fs::metadata(directory) {
            return Err(
                git_cora::git::Error::Io { action: "change to", path: directory.to_owned(), source }.into()
            );
        }
        let session = open(directory)?;
        self.start_threads(usize::try_from(session.repo().setting(&config::THREADS)?).unwrap_or(0));
        self.catch_signals();
        Ok(session)
    }

    /// Makes Ctrl-C stop the command at the next safe point, and a second one end the process
    /// immediately.
    pub(crate) fn catch_signals(&self) {
        let cancel = self.cancel.clone();
        let was_asked = AtomicBool::new(false);
        // Fails only if a handler is already set.
        let _ = ctrlc::set_handler(move || {
            if was_asked.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_INTERRUPTED.into());
            }
            cancel.cancel();
        });
    }

    /// Starts the threads that index and search; 0 means one per core.
    pub(crate) fn start_threads(&self, n_threads: usize) {
        // Fails only if a pool already exists; then its size can't be changed.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(n_threads).stack_size(8 << 20).build_global();
    }

    /// Resolves a revision to its commit; without one, `HEAD`.
    pub(crate) fn commit(&self, session: &Session, revision: Option<&str>) -> anyhow::Result<ObjectId> {
        Ok(session.repo().resolve(revision.unwrap_or("HEAD"))?)
    }

    /// Opens a searcher of a revision; without one, of the working tree.
    pub(crate) fn searcher(&self, session: &Session, revision: Option<&str>) -> anyhow::Result<Searcher> {
        let target = match revision {
            Some(revision) => Target::Commit(session.repo().resolve(revision)?),
            None => Target::Worktree,
        };
        self.searcher_of(session, &target)
    }

    /// Opens a searcher, and indexes the commit first if necessary. Prints its warnings, such as
    /// one about files that are not searched, for commands whose answer does not hold them.
    pub(crate) fn searcher_of(&self, session: &Session, target: &Target) -> anyhow::Result<Searcher> {
        let progress = self.progress();
        let searcher = session.searcher(target, Task::new(progress.as_ref(), &self.cancel))?;
        drop(progress);
        self.warn(&searcher.warnings);
        Ok(searcher)
    }

    /// Prints warnings, each only once in a command.
    pub(crate) fn warn(&self, warnings: &[String]) {
        for warning in warnings {
            if lock(&self.warned).insert(warning.clone()) {
                self.complain(&format!("warning: {warning}"));
            }
        }
    }

    /// Returns a progress bar on a terminal, and otherwise a reporter of waits only.
    pub(crate) fn progress(&self) -> Box<dyn Progress> {
        let shown: Box<dyn Progress> = if self.is_quiet {
            Box::new(NoProgress)
        } else if !std::io::stderr().is_terminal() {
            Box::new(Lines)
        } else {
            Box::new(Bar::default())
        };
        if self.verbosity > 0 { Box::new(PhasePrinter::new(shown)) } else { shown }
    }

    /// With `-v`, reports a step and its duration on standard error.
    pub(crate) fn tell(&self, what: impl FnOnce() -> String, since: Instant) {
        if self.verbosity > 0 {
            self.complain(&format!("{} in {}", what(), took(since)));
        }
    }

    /// Whether only results and errors are printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Prints a message to standard error, unless `--quiet` is given.
    pub(crate) fn say(&self, message: &str) {
        if !self.is_quiet {
            self.complain(message);
        }
    }

    /// Says how many items a limit left out, and which flag raises it. Says nothing if there are
    /// none.
    pub(crate) fn tell_of_more(&self, n: usize, flag: &str) {
        if n > 0 {
            self.say(&format!("note: {n} more; raise {flag}"));
        }
    }

    /// Says that a budget is too small for `what`, and how much is needed at least.
    pub(crate) fn complain_of_budget(&self, what: &str, needed: Option<Budget>) {
        self.complain(&format!("error: the budget is too small for {what}"));
        let flag = |flag: &str, limit: Option<usize>| limit.map(|limit| format!("{flag} {limit}"));
        let flags: Vec<String> = needed
            .into_iter()
            .flat_map(|least| [flag("--tokens", least.tokens), flag("--length", least.characters)])
            .flatten()
            .collect();
        self.say(&match flags.is_empty() {
            true => "hint: allow more with --tokens or --length".to_owned(),
            false => format!("hint: use at least {}", flags.join(" and ")),
        });
    }

    /// Prints a message to standard error, even with `--quiet`. Control characters are made
    /// visible. Commands in it repeat the options that name the repository.
    pub(crate) fn complain(&self, message: &str) {
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "{}", git_cora::answer::view::visible(&self.with_place(message)));
    }

    /// Prints a text of several lines to standard error, each as [`Self::complain`] does.
    pub(crate) fn complain_lines(&self, text: &str) {
        text.trim_end().lines().for_each(|line| self.complain(line));
    }

    /// Asks the user for confirmation. Without a terminal it counts as refused. `done` is what is
    /// not done then, as in "nothing was sent".
    pub(crate) fn confirm(&self, question: &str, done: &str) -> anyhow::Result<bool> {
        let (stdin, mut stderr) = (std::io::stdin(), std::io::stderr());
        if !stdin.is_terminal() || !stderr.is_terminal() {
            self.complain(&format!(
                "error: can't ask for confirmation without a terminal; nothing was {done}"
            ));
            self.complain("hint: use --yes to confirm");
            return Ok(false);
        }
        write!(stderr, "{question} [y/N] ")?;
        stderr.flush()?;
        let mut answer = String::new();
        stdin.lock().read_line(&mut answer)?;
        if self.cancel.is_cancelled() {
            return Err(SessionError::cancelled().into());
        }
        let is_yes = matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
        if !is_yes {
            self.say(&format!("nothing was {done}"));
        }
        Ok(is_yes)
    }

    /// Prints a note if the expected cost exceeds the budget, both in tokens.
    pub(crate) fn tell_of_budget(&self, n_tokens: u64, budget: Option<u64>) {
        if let Some(budget) = budget.filter(|budget| n_tokens > *budget) {
            let budget = counted(budget, "token", "tokens");
            self.say(&format!(
                "note: this exceeds the budget of {budget}; the command stops there, and the next run continues"
            ));
        }
    }

    /// Prints text of the result to standard output.
    pub(crate) fn print(&self, text: &str) -> anyhow::Result<()> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(text.as_bytes()).context("can't write to standard output")
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn print_json(&self, value: &serde_json::Value) -> anyhow::Result<()> {
        self.print(&format!("{value}\n"))
    }
}

//! What every command has at hand: the directory, verbosity, cancellation, the session, standard error.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Context as _;

use git_cora::Session;
use git_cora::base::config;
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{Cancel, Progress, Silent};

use super::args::Global;
use super::progress::{Bar, Lines, Told, took};

/// What every command has at hand.
pub(crate) struct Context {
    directory: Option<PathBuf>,
    is_quiet: bool,
    /// How much is told beyond the result.
    pub(crate) verbosity: u8,
    /// Set by Ctrl-C.
    pub(crate) cancel: Cancel,
}

impl Context {
    pub(crate) fn new(global: &Global) -> Self {
        Self {
            directory: global.directory.clone(),
            is_quiet: global.quiet,
            verbosity: global.verbose,
            cancel: Cancel::default(),
        }
    }

    /// The directory that the command speaks of.
    pub(crate) fn directory(&self) -> PathBuf {
        self.directory.clone().unwrap_or_else(|| PathBuf::from("."))
    }

    /// Opens the repository. From here on Ctrl-C asks for a stop at the next safe point; a second one ends the
    /// process at once, which leaves nothing broken either: refs are written last.
    pub(crate) fn session(&self) -> anyhow::Result<Session> {
        self.session_at(&self.directory())
    }

    /// Likewise, around another directory.
    pub(crate) fn session_at(&self, directory: &Path) -> anyhow::Result<Session> {
        if let Err(source) = std::fs::metadata(directory) {
            return Err(
                git_cora::git::Error::Io { action: "change to", path: directory.to_owned(), source }.into()
            );
        }
        let session = Session::open(directory)?;
        self.start_threads(usize::try_from(session.repo().setting(&config::THREADS)?).unwrap_or(0));
        self.catch_signals();
        Ok(session)
    }

    /// From here on Ctrl-C asks for a stop at the next safe point; a second one ends the process at once.
    pub(crate) fn catch_signals(&self) {
        let cancel = self.cancel.clone();
        let was_asked = AtomicBool::new(false);
        // Fails only if a handler is set already.
        let _ = ctrlc::set_handler(move || {
            if was_asked.swap(true, Ordering::Relaxed) {
                std::process::exit(super::EXIT_INTERRUPTED.into());
            }
            cancel.cancel();
        });
    }

    /// Starts the threads that index and search; 0: one for each core.
    pub(crate) fn start_threads(&self, n_threads: usize) {
        // Fails only if a pool exists already: then its size is settled.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(n_threads).stack_size(8 << 20).build_global();
    }

    /// The commit that a revision names, `HEAD` if none is given.
    pub(crate) fn commit(&self, session: &Session, revision: Option<&str>) -> anyhow::Result<ObjectId> {
        Ok(session.repo().resolve(revision.unwrap_or("HEAD"))?)
    }

    /// A progress bar on a terminal, and otherwise what is waited for.
    pub(crate) fn progress(&self) -> Box<dyn Progress> {
        let shown: Box<dyn Progress> = if self.is_quiet {
            Box::new(Silent)
        } else if !std::io::stderr().is_terminal() {
            Box::new(Lines)
        } else {
            Box::new(Bar::default())
        };
        if self.verbosity > 0 { Box::new(Told::new(shown)) } else { shown }
    }

    /// Says, if asked to say more, what was done and how long it took.
    pub(crate) fn tell(&self, what: impl FnOnce() -> String, since: Instant) {
        if self.verbosity > 0 {
            self.complain(&format!("{} in {}", what(), took(since)));
        }
    }

    /// Whether nothing but results and errors is wanted.
    #[cfg(feature = "http")]
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Says something on standard error, unless asked to be quiet.
    pub(crate) fn say(&self, message: &str) {
        if !self.is_quiet {
            self.complain(message);
        }
    }

    /// Says something on standard error in any case. Control characters in it are made visible.
    pub(crate) fn complain(&self, message: &str) {
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(stderr, "{}", git_cora::answer::view::visible(message));
    }

    /// Says so if what is to be paid for is more than the budget, both in tokens.
    pub(crate) fn tell_of_budget(&self, n_tokens: u64, budget: Option<u64>) {
        if let Some(budget) = budget.filter(|budget| n_tokens > *budget) {
            self.say(&format!(
                "note: that is more than the budget of {budget} tokens; the rest is left for another run"
            ));
        }
    }

    /// Prints a line of the result.
    pub(crate) fn print(&self, text: &str) -> anyhow::Result<()> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(text.as_bytes()).context("can't write to standard output")
    }

    /// Prints a value as JSON, one line.
    pub(crate) fn print_json(&self, value: &serde_json::Value) -> anyhow::Result<()> {
        self.print(&format!("{value}\n"))
    }
}

//! The `git` program, run in one repository with a predictable environment.
//!
//! Owns [`Command`] and [`Output`]. The locale is C. Grafts and replaced objects are ignored. The
//! program asks the user nothing, unless that is requested. It starts in the root of the work tree
//! and finds the repository there, as it would for the user. Where it would not find exactly the
//! repository that was opened, `GIT_DIR` names it. Git skips its guards then (`safe.directory` and
//! others), but it has passed this repository through them when it was opened (see `discover.rs`).
//!
//! Why not always `GIT_DIR`: Git passes its environment on to hooks, filters and other programs of
//! the user. A hook that creates a repository elsewhere would then change this one. For the same
//! reason [`Command::as_user`] leaves the environment as the user has it.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::discover::{self, LOCAL};
use super::{Error, Repository, Result};
use crate::base::progress::Cancel;
use crate::base::threads::lock;

/// Time between two checks whether a running command was cancelled or has timed out.
const POLL: Duration = Duration::from_millis(10);

/// Variables that Git exports to hooks. None of them may reach our commands.
const CLEARED: &[&str] = &["GIT_PREFIX", "GIT_NAMESPACE", "LANGUAGE"];

/// Variables that users set to change the output of Git. They may reach only a command whose output
/// they don't change.
const CLEARED_FOR_OUTPUT: &[&str] = &[
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_REF_PARANOIA",
    "GIT_REPLACE_REF_BASE",
];

/// Variables that make the history of this repository the same for every user. A graft changes the
/// parents of commits, and only this program would follow it.
const HISTORY: &[(&str, &str)] = &[("GIT_NO_REPLACE_OBJECTS", "1"), ("GIT_GRAFT_FILE", "/dev/null")];

/// The categories of a locale that `LC_ALL` stands for.
const CATEGORIES: &[&str] =
    &["LC_CTYPE", "LC_COLLATE", "LC_TIME", "LC_NUMERIC", "LC_MONETARY", "LC_MESSAGES"];

/// Time that a stopped program has to end the programs it started itself.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(2);

/// Time that the pipes of a stopped program have to end. A program that it started may hold them
/// open for as long as it runs.
const LINGER: Duration = Duration::from_millis(200);

/// Bytes that are read from a pipe in one step.
const PIECE_BYTES: usize = 64 << 10;

/// Address space in KiB of a program that talks to strangers: 4 GiB. Git keeps the remote's list of
/// refs in memory, and that list may be endless.
#[cfg(unix)]
const ADDRESS_KIB: u64 = 4 << 20;

/// Bytes kept of the output of a program that talks to strangers; the rest is read and dropped. A
/// list of refs has about 100 bytes per ref. Messages of the remote go to standard error.
const STDOUT_BYTES: u64 = 256 << 20;
const STDERR_BYTES: u64 = 64 << 10;

/// Limits of a program that talks to strangers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// Longest file in bytes that the program, or a program it starts, may write.
    pub(super) file_bytes: u64,
    /// Longest time that it may run.
    pub(super) time: Duration,
}

/// One run of the `git` program, to be configured and started.
#[derive(Debug)]
pub struct Command {
    inner: std::process::Command,
    name: String,
    input: Option<Vec<u8>>,
    cancel: Option<Cancel>,
    deadline: Option<Instant>,
    is_bounded: bool,
    show_stderr: bool,
    uses_environment: bool,
}

/// The result of a finished `git` program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The exit status; `None` if a signal ended the program.
    pub status: Option<i32>,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error, trimmed; empty if that was shown to the user instead.
    pub stderr: String,
    /// Whether it was stopped because it ran too long.
    pub(super) is_late: bool,
    /// Whether the files it wrote reached the byte limit. The caller sets this, because it knows
    /// the files.
    pub(super) is_cut: bool,
}

impl Output {
    /// Returns whether the program exited with status 0.
    pub fn success(&self) -> bool {
        self.status == Some(0)
    }
}

impl Repository {
    /// Returns a `git` command for this repository. It runs in the root of the work tree, or in the
    /// Git directory if there is none.
    pub fn git(&self, args: &[&str]) -> Command {
        let mut inner = std::process::Command::new("git");
        inner.args(args);
        for name in CLEARED.iter().chain(CLEARED_FOR_OUTPUT) {
            inner.env_remove(name);
        }
        if !self.uses_environment() {
            for name in LOCAL {
                inner.env_remove(name);
            }
        }
        inner.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").envs(HISTORY.iter().copied());
        let root = self.work_dir().unwrap_or_else(|| self.git_dir());
        let is_set = |name: &str| self.uses_environment() && std::env::var_os(name).is_some();
        inner.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE");
        let is_named = is_set("GIT_DIR") || self.is_mirror() || !discover::leads_to(root, self.git_dir());
        if self.is_trusted() && is_named {
            inner.env("GIT_DIR", self.git_dir());
        }
        if let Some(dir) = self.work_dir().filter(|_| is_set("GIT_WORK_TREE")) {
            inner.env("GIT_WORK_TREE", dir);
        }
        match self.index_file() {
            Some(file) => inner.env("GIT_INDEX_FILE", file),
            None => inner.env_remove("GIT_INDEX_FILE"),
        };
        inner.current_dir(root);
        if let Some(guest) = self.guest() {
            inner.env_remove("GIT_WORK_TREE").env_remove("GIT_NO_LAZY_FETCH");
            inner.envs(guest.env.iter().map(|(name, value)| (name, value)));
        }
        let name = args.iter().find(|arg| !arg.starts_with('-') && !arg.contains('=')).unwrap_or(&"");
        let name = (*name).to_owned();
        Command {
            inner,
            name,
            input: None,
            cancel: None,
            deadline: None,
            is_bounded: false,
            show_stderr: false,
            uses_environment: self.uses_environment(),
        }
    }
}

impl Command {
    /// Adds an argument, which need not be UTF-8.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.inner.arg(arg.into());
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.inner.env(name, value);
        self
    }

    /// Passes these bytes on standard input; without this the program reads nothing.
    pub fn input(mut self, bytes: Vec<u8>) -> Self {
        self.input = Some(bytes);
        self
    }

    /// Leaves the environment as the user has it, for a command that starts programs of the user:
    /// hooks, filters, credential helpers. Only the messages are in English.
    pub fn as_user(mut self) -> Self {
        for (name, _) in HISTORY {
            match std::env::var_os(name).filter(|_| self.uses_environment) {
                Some(own) => self.inner.env(name, own),
                None => self.inner.env_remove(name),
            };
        }
        self.inner.env_remove("LC_ALL");
        if let Some(all) = std::env::var_os("LC_ALL").filter(|all| !all.is_empty()) {
            for category in CATEGORIES {
                self.inner.env(category, &all);
            }
        }
        self.inner.env("LC_MESSAGES", "C");
        self
    }

    /// Runs the command [as the user](Self::as_user) would, for a transfer. It may prompt on the
    /// terminal for credentials of a remote, unless the user's environment forbids it.
    pub fn interactive(self) -> Self {
        let mut this = self.as_user();
        for name in CLEARED_FOR_OUTPUT {
            if let Some(own) = std::env::var_os(name) {
                this.inner.env(name, own);
            }
        }
        match std::env::var_os("GIT_TERMINAL_PROMPT") {
            Some(own) => this.inner.env("GIT_TERMINAL_PROMPT", own),
            None => this.inner.env_remove("GIT_TERMINAL_PROMPT"),
        };
        this
    }

    /// Passes standard error through to the user, for the progress of long transfers.
    pub fn show_stderr(mut self) -> Self {
        self.show_stderr = true;
        self
    }

    /// Stops the program when `cancel` is set.
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Limits the program and everything it starts.
    ///
    /// The operating system enforces the byte limit (`ulimit -f`), so it holds for helpers too.
    /// Windows has no such limit.
    pub(super) fn bounded(mut self, bounds: Bounds) -> Self {
        self.deadline = Instant::now().checked_add(bounds.time);
        self.is_bounded = true;
        #[cfg(unix)]
        {
            // POSIX counts blocks of 512 bytes. Not every system can limit the address space.
            let script = format!(
                "ulimit -f {} && {{ ulimit -v {ADDRESS_KIB} 2>/dev/null || :; }} && exec \"$@\"",
                bounds.file_bytes.div_ceil(512)
            );
            let mut shell = std::process::Command::new("/bin/sh");
            shell.args(["-c", &script, "sh"]).arg(self.inner.get_program()).args(self.inner.get_args());
            for (name, value) in self.inner.get_envs() {
                match value {
                    Some(value) => shell.env(name, value),
                    None => shell.env_remove(name),
                };
            }
            if let Some(dir) = self.inner.get_current_dir() {
                shell.current_dir(dir);
            }
            self.inner = shell;
        }
        self
    }

    /// Stops the program, and everything it starts, after this time.
    pub(super) fn within(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Runs the program to its end and expects status 0.
    ///
    /// # Errors
    /// [`Error::Command`] if it exits with another status, [`Error::NoGit`] if it can't be started,
    /// [`Error::Cancelled`].
    pub fn run(self) -> Result<Output> {
        let name = self.name.clone();
        let output = self.run_any()?;
        if output.success() {
            return Ok(output);
        }
        Err(Error::Command { command: name, status: output.status, stderr: reasons(&output.stderr) })
    }

    /// Runs the program to its end, whatever its exit status.
    ///
    /// # Errors
    /// [`Error::NoGit`] if it can't be started, [`Error::Cancelled`].
    pub fn run_any(mut self) -> Result<Output> {
        let mut child = self.spawn_child()?;
        let kept = |most| if self.is_bounded { most } else { u64::MAX };
        let writer = child.stdin.take().zip(self.input.take()).map(|(stdin, bytes)| write(stdin, bytes));
        let stdout = child.stdout.take().map(|stream| collect(stream, kept(STDOUT_BYTES)));
        let stderr = child.stderr.take().map(|stream| collect(stream, kept(STDERR_BYTES)));
        let watch = Watch { cancel: self.cancel, deadline: self.deadline };
        let (status, mut stop) = wait(&mut child, &watch)?;
        let mut bytes = [Vec::new(), Vec::new()];
        for (pipe, bytes) in [stdout, stderr].into_iter().zip(&mut bytes) {
            if let Some(pipe) = pipe {
                *bytes = pipe.finish(&watch, &mut stop)?;
            }
        }
        if let Some(writer) = writer {
            writer.finish(&watch, &mut stop)?;
        }
        if stop.is_some_and(|stop| stop.is_cancelled) {
            return Err(Error::Cancelled);
        }
        let [stdout, stderr] = bytes;
        let mut stderr = String::from_utf8_lossy(&stderr).trim().to_owned();
        if status.code().is_none() && stderr.is_empty() {
            // A program that a signal ends says nothing, such as one that exceeds `ulimit -f`.
            stderr = status.to_string();
        }
        Ok(Output { status: status.code(), stdout, stderr, is_late: stop.is_some(), is_cut: false })
    }

    /// Starts the program with pipes on standard input and output, for a dialogue. Standard error
    /// is discarded.
    pub(super) fn spawn_dialogue(mut self) -> Result<Child> {
        self.inner.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        self.inner.spawn().map_err(|error| self.not_started(error))
    }

    /// Says why the program can't be started. The system says "not found" for a missing directory,
    /// too.
    fn not_started(&self, error: std::io::Error) -> Error {
        match self.inner.get_current_dir() {
            Some(dir) if !dir.is_dir() => Error::Io { action: "enter", path: dir.to_owned(), source: error },
            _ => Error::NoGit(error),
        }
    }

    fn spawn_child(&mut self) -> Result<Child> {
        let stdin = if self.input.is_some() { Stdio::piped() } else { Stdio::null() };
        let stderr = if self.show_stderr { Stdio::inherit() } else { Stdio::piped() };
        self.inner.stdin(stdin).stdout(Stdio::piped()).stderr(stderr);
        self.inner.spawn().map_err(|error| self.not_started(error))
    }
}

/// What may stop a program: its user, or the clock.
struct Watch {
    cancel: Option<Cancel>,
    deadline: Option<Instant>,
}

/// A program was stopped.
#[derive(Debug, Clone, Copy)]
struct Stop {
    /// Whether its user stopped it; otherwise it was late.
    is_cancelled: bool,
    /// The end of the time that its pipes have to end.
    pipes_until: Instant,
}

impl Watch {
    /// Returns whether anything may stop the program.
    fn is_idle(&self) -> bool {
        self.cancel.is_none() && self.deadline.is_none()
    }

    /// Returns whether it is time to stop the program, and why.
    fn look(&self) -> Option<Stop> {
        let now = Instant::now();
        let is_cancelled = self.cancel.as_ref().is_some_and(Cancel::is_cancelled);
        let is_late = self.deadline.is_some_and(|deadline| now >= deadline);
        (is_cancelled || is_late).then_some(Stop { is_cancelled, pipes_until: now + LINGER })
    }
}

/// One end of a pipe, served by a thread of its own: a pipe that stays full or empty would block
/// the program.
///
/// The thread is never joined, because a program that outlives the one we started may hold the
/// other end open.
struct Pipe {
    shared: Arc<PipeState>,
    end: Receiver<std::io::Result<()>>,
}

/// What the thread of a pipe shares with the caller.
#[derive(Default)]
struct PipeState {
    bytes: Mutex<Vec<u8>>,
    /// Set when nobody waits for the pipe any more. The thread closes it at its next step.
    is_abandoned: AtomicBool,
}

impl Pipe {
    fn start(work: impl FnOnce(&PipeState) -> std::io::Result<()> + Send + 'static) -> Self {
        let (sender, end) = channel();
        let shared = Arc::new(PipeState::default());
        let own = Arc::clone(&shared);
        std::thread::spawn(move || {
            let outcome = work(&own);
            // Fails only if nobody waits any more.
            drop(sender.send(outcome));
        });
        Self { shared, end }
    }

    /// Waits for the end of the pipe and returns what was read. The wait ends, too, when the
    /// program is stopped; then the pipe may be cut short.
    fn finish(self, watch: &Watch, stop: &mut Option<Stop>) -> Result<Vec<u8>> {
        loop {
            let step = match stop {
                Some(stop) => stop.pipes_until.saturating_duration_since(Instant::now()),
                None if watch.is_idle() => Duration::MAX,
                None => POLL,
            };
            match self.end.recv_timeout(step) {
                Ok(outcome) => {
                    outcome.map_err(Error::git("read the output of git"))?;
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Internal("the thread of a pipe to git panicked".into()));
                }
                Err(RecvTimeoutError::Timeout) if stop.is_some() => {
                    self.shared.is_abandoned.store(true, Ordering::Relaxed);
                    break;
                }
                Err(RecvTimeoutError::Timeout) => *stop = watch.look(),
            }
        }
        Ok(std::mem::take(&mut *lock(&self.shared.bytes)))
    }
}

/// Writes all bytes to a pipe. A program that stops reading early gives the reason in its status;
/// the broken pipe adds nothing.
fn write(mut pipe: impl Write + Send + 'static, bytes: Vec<u8>) -> Pipe {
    Pipe::start(move |_| {
        drop(pipe.write_all(&bytes));
        Ok(())
    })
}

/// Reads a pipe to its end and keeps at most `most` bytes.
fn collect(mut pipe: impl Read + Send + 'static, most: u64) -> Pipe {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    Pipe::start(move |shared| {
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            let n = match pipe.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(n) => n,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if shared.is_abandoned.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut bytes = lock(&shared.bytes);
            let n = n.min(most.saturating_sub(bytes.len()));
            bytes.extend_from_slice(piece.get(..n).unwrap_or_default());
        }
    })
}

/// Waits for the end of a program; stops it when it is cancelled or late.
fn wait(child: &mut Child, watch: &Watch) -> Result<(ExitStatus, Option<Stop>)> {
    if watch.is_idle() {
        return Ok((child.wait().map_err(Error::git("wait for git"))?, None));
    }
    loop {
        if let Some(status) = child.try_wait().map_err(Error::git("wait for git"))? {
            return Ok((status, None));
        }
        if let Some(reason) = watch.look() {
            let status = stop(child)?;
            return Ok((status, Some(Stop { pipes_until: Instant::now() + LINGER, ..reason })));
        }
        std::thread::sleep(POLL);
    }
}

/// Stops a program. SIGTERM comes first, so that it can end its own children, which hold our pipes
/// too. Windows has no such signal, so its children are stopped with it.
fn stop(child: &mut Child) -> Result<ExitStatus> {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // The program may have ended meanwhile; then there is nothing to stop.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let end = Instant::now() + GRACE;
        while Instant::now() < end {
            if let Some(status) = child.try_wait().map_err(Error::git("wait for git"))? {
                return Ok(status);
            }
            std::thread::sleep(POLL);
        }
    }
    #[cfg(windows)]
    kill_descendants(child);
    drop(child.kill());
    child.wait().map_err(Error::git("wait for git"))
}

/// Stops a program and all programs that it started. The `git.exe` on the PATH only starts the real
/// one. Without `taskkill`, which is part of Windows, the caller stops the program alone.
#[cfg(windows)]
fn kill_descendants(child: &Child) {
    let mut command = std::process::Command::new("taskkill");
    command.args(["/T", "/F", "/PID", &child.id().to_string()]);
    drop(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status());
}

/// Returns Git's reasons for a failure in one line, without its advice and its warnings.
fn reasons(stderr: &str) -> String {
    let reason = |line: &&str| line.starts_with("fatal: ") || line.starts_with("error: ");
    let reasons: Vec<&str> = stderr.lines().filter(reason).collect();
    if !reasons.is_empty() {
        return reasons.join("; ");
    }
    let rest: Vec<&str> = stderr.lines().filter(|line| !line.starts_with("hint:")).collect();
    if rest.is_empty() { stderr.to_owned() } else { rest.join("\n") }
}

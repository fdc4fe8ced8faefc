//! Running the `git` program: for what gix can't do, and for what must be exactly as the user's Git does it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::id::ObjectId;

use super::{Blob, Error, Repository, Result};

/// A `git` command in a repository. Arguments are passed as they are, never through a shell.
pub struct GitCommand {
    command: Command,
    name: String,
    input: Vec<u8>,
}

/// What a `git` command printed.
#[derive(Debug, Clone)]
pub struct GitOutput {
    /// Whether it exited with 0.
    pub success: bool,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Repository {
    /// A `git` command in this repository: C locale, no pager, no prompt on the terminal, and none of the
    /// variables that a hook inherits.
    pub fn git(&self, args: &[&str]) -> GitCommand {
        let mut command = Command::new("git");
        for name in ["GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_PAGER", "cat");
        command.env("GIT_DIR", &self.git_dir);
        if let Some(dir) = self.work_dir() {
            command.env("GIT_WORK_TREE", dir).current_dir(dir);
        } else {
            command.env_remove("GIT_WORK_TREE").current_dir(&self.git_dir);
        }
        command.args(args);
        GitCommand { command, name: args.first().copied().unwrap_or_default().to_owned(), input: Vec::new() }
    }
}

impl GitCommand {
    /// What the command reads on standard input.
    #[must_use]
    pub fn input(mut self, input: Vec<u8>) -> Self {
        self.input = input;
        self
    }

    /// Sets a variable for the command.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        Error::Git { command: self.name.clone(), message: error.to_string() }
    }

    /// Starts the command with its output captured.
    pub(super) fn spawn(&mut self) -> Result<Child> {
        let stdin = if self.input.is_empty() { Stdio::null() } else { Stdio::piped() };
        self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.spawn().map_err(|error| self.failed(&error))
    }

    /// Runs the command to its end.
    ///
    /// # Errors
    /// [`Error::Git`] if it can't be started; its own failure is told by the output.
    pub fn run(mut self) -> Result<GitOutput> {
        let mut child = self.spawn()?;
        let writer = child.stdin.take().map(|mut stdin| {
            let input = std::mem::take(&mut self.input);
            // On a thread of its own: a command that answers before it has read all would block both sides.
            std::thread::spawn(move || {
                let _ = stdin.write_all(&input);
            })
        });
        let output = child.wait_with_output().map_err(|error| self.failed(&error))?;
        if let Some(writer) = writer {
            let _ = writer.join();
        }
        Ok(GitOutput { success: output.status.success(), stdout: output.stdout, stderr: output.stderr })
    }
}

impl GitOutput {
    /// The output of a command that succeeded.
    ///
    /// # Errors
    /// [`Error::Git`] with what it said, if it failed.
    pub fn checked(self, command: &str) -> Result<Self> {
        if self.success {
            Ok(self)
        } else {
            Err(Error::Git { command: command.to_owned(), message: self.message() })
        }
    }

    /// What the command said on standard error, without progress, on one line.
    pub fn message(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let lines: Vec<&str> = text
            .lines()
            .map(|line| line.rsplit('\r').next().unwrap_or(line).trim())
            .filter(|line| !line.is_empty())
            .collect();
        let important: Vec<&str> = lines
            .iter()
            .copied()
            .filter(|line| {
                ["fatal:", "error:", "remote:", " ! ", "!"].iter().any(|mark| line.starts_with(mark))
            })
            .collect();
        let chosen = if important.is_empty() { lines } else { important };
        if chosen.is_empty() { "it gave no reason".to_owned() } else { chosen.join("; ") }
    }

    /// The last line of progress that tells of bytes moved (`Writing objects: …`, `Receiving objects: …`).
    pub fn transfer(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        text.split(['\n', '\r'])
            .map(str::trim)
            .filter(|line| {
                (line.starts_with("Writing objects") || line.starts_with("Receiving objects"))
                    && line.contains("done")
            })
            .map(|line| format!("{line}\n"))
            .collect()
    }
}

/// A `git cat-file --batch` that is kept: it fetches promised objects as it is asked for them.
pub(super) struct Batch {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Batch {
    pub(super) fn start(repo: &Repository) -> Result<Self> {
        let mut command = repo.git(&["cat-file", "--batch"]);
        let failed =
            |message: &str| Error::Git { command: "cat-file".to_owned(), message: message.to_owned() };
        command.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.command.spawn().map_err(|error| failed(&error.to_string()))?;
        let stdin = child.stdin.take().ok_or_else(|| failed("it has no input"))?;
        let stdout = child.stdout.take().ok_or_else(|| failed("it has no output"))?;
        Ok(Self { child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Reads one blob; an error means that the process is of no more use.
    pub(super) fn blob(&mut self, id: ObjectId, limit_bytes: u64) -> std::io::Result<Blob> {
        writeln!(self.stdin, "{id}")?;
        self.stdin.flush()?;
        let mut head = String::new();
        self.stdout.read_line(&mut head)?;
        let mut words = head.split_whitespace();
        let (Some(_), Some(kind), Some(len)) = (words.next(), words.next(), words.next()) else {
            // «<id> missing», or the end of a process that failed.
            return if head.trim_end().ends_with("missing") {
                Ok(Blob::Missing)
            } else {
                Err(std::io::ErrorKind::UnexpectedEof.into())
            };
        };
        let len: u64 = len.parse().map_err(|_| std::io::ErrorKind::InvalidData)?;
        if len > limit_bytes || kind != "blob" {
            std::io::copy(&mut (&mut self.stdout).take(len + 1), &mut std::io::sink())?;
            return Ok(if kind == "blob" { Blob::TooLarge { bytes: len } } else { Blob::Missing });
        }
        let mut bytes = Vec::new();
        (&mut self.stdout).take(len).read_to_end(&mut bytes)?;
        let mut end = [0];
        self.stdout.read_exact(&mut end)?;
        Ok(Blob::Bytes(bytes))
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

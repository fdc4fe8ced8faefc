//! The program `git-cora`: arguments in, exit code out.
//!
//! The surfaces stay out of the library: no stage of it can name the terminal, a socket or a hook.
//!
//! - `cli/` holds the commands, and `cli/args/` their arguments.
//! - `server/`, `hook/` and `watch/` are what some commands start.
//! - `setup/` changes the files of Git's and other programs' settings.
//! - `input/`, `terminal/`, `prune` and `command_error` are what these share.
//!
//! Only this file imports `cli`, so that no server depends on what a terminal shows; `cargo xtask
//! tidy` checks it. This file only declares the modules, each behind its feature, and calls
//! `cli::run`.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests set up files and programs"))]

mod cli;
mod command_error;
mod file_limit;
mod hook;
mod input;
mod prune;
#[cfg(any(feature = "http", feature = "mcp"))]
mod server;
mod setup;
mod terminal;
#[cfg(feature = "watch")]
mod watch;

use std::process::ExitCode;

#[cfg(not(windows))]
fn main() -> ExitCode {
    file_limit::make_an_error();
    cli::run(std::env::args_os())
}

/// Runs on a thread with the stack that the first thread has elsewhere: 8 MiB. Windows gives that
/// one 1 MiB.
#[cfg(windows)]
fn main() -> ExitCode {
    file_limit::make_an_error();
    let run = || cli::run(std::env::args_os());
    match std::thread::Builder::new().name("main".to_owned()).stack_size(8 << 20).spawn(run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => run(),
    }
}

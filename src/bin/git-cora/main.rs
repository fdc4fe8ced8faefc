//! The program `git-cora`: arguments in, exit code out.
//!
//! `cli/` holds the commands, and `cli/args.rs` their arguments. The surfaces stay out of the
//! library: no stage of it can name the terminal, a socket or a hook. This file only declares the
//! modules, each behind its feature, and calls `cli::run`.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests set up files and programs"))]

mod cli;
mod file_limit;
mod hook;
#[cfg(any(feature = "http", feature = "mcp"))]
mod server;
mod setup;
#[cfg(feature = "watch")]
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    file_limit::make_an_error();
    cli::run(std::env::args_os())
}

//! `git-cora`: arguments in, exit code out. What a command does lies in `cli/`, what it takes in `cli/args.rs`.

mod cli;
mod hook;
#[cfg(any(feature = "http", feature = "mcp"))]
mod server;
#[cfg(feature = "watch")]
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}

//! `git-cora`: arguments in, exit code out. What a command does lies in `cli/`, what it takes in `cli/args.rs`.

mod cli;
mod hook;
#[cfg(any(feature = "http", feature = "mcp"))]
mod host;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "watch")]
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}

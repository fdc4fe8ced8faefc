//! The project's own commands: `cargo xtask ci`, `tidy`, `codegen`, and the doors to the other
//! three crates.
//!
//! Every check and every generator is a Rust program here. It therefore runs the same on every
//! platform, and anyone can run continuous integration with one command. Nothing of it is part of
//! the released program.
//!
//! This crate must not depend on the product, so that it starts in seconds from an empty target
//! directory. What needs the product is in `lab/` (it measures) and `train/` (it makes models), and
//! what needs more libraries in `dist/` (it packages); their commands start here.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![allow(clippy::disallowed_methods, reason = "a tool of the workshop, not of the product")]

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

// The definitions of the command line name it so.
use definitions::input;

mod ci;
mod codegen;
mod definitions;
mod delegate;
mod tidy;
mod tree;

/// The project's own commands.
#[derive(Debug, Parser)]
#[command(name = "xtask", bin_name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Everything that continuous integration checks, in order of cost.
    Ci,
    /// Check the conventions that no compiler knows.
    Tidy {
        /// Check nothing; remove from the lists of allowed violations those that no longer exist.
        #[arg(long)]
        shrink: bool,
    },
    /// Write man pages, completions and references from the definitions in the code.
    Codegen {
        /// Write nothing; fail if a generated file is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Package the program: archives, npm, pip, Debian, Homebrew, Scoop, Docker.
    #[command(disable_help_flag = true)]
    Dist(ForwardPass),
    /// Measure: bench, compare, eval, kill, messages, refs, reproduce, store. Builds the product.
    #[command(disable_help_flag = true)]
    Lab(ForwardPass),
    /// Make the models, the common words and the vocabulary that the product carries.
    #[command(disable_help_flag = true)]
    Train(ForwardPass),
    /// The same as 'lab bench'.
    #[command(disable_help_flag = true)]
    Bench(ForwardPass),
    /// The same as 'lab compare'.
    #[command(disable_help_flag = true)]
    Compare(ForwardPass),
    /// The same as 'lab eval'.
    #[command(disable_help_flag = true)]
    Eval(ForwardPass),
    /// The same as 'lab messages'.
    #[command(disable_help_flag = true)]
    Messages(ForwardPass),
    /// The same as 'lab reproduce'.
    #[command(disable_help_flag = true)]
    Reproduce(ForwardPass),
    /// The same as 'lab store'.
    #[command(disable_help_flag = true)]
    Store(ForwardPass),
    /// The same as 'train words'.
    #[command(disable_help_flag = true)]
    TrainWords(ForwardPass),
    /// The same as 'train vocabulary'.
    #[command(disable_help_flag = true)]
    Vocabulary(ForwardPass),
}

/// Arguments for another crate's command, as they were written.
#[derive(Debug, clap::Args)]
struct ForwardPass {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

fn main() -> ExitCode {
    let lab = |name: &str, passed: ForwardPass| delegate::run("xtask-lab", Some(name), passed.arguments);
    let train = |name: &str, passed: ForwardPass| delegate::run("xtask-train", Some(name), passed.arguments);
    let result = match Xtask::parse().command {
        Command::Ci => ci::run().map(|()| ExitCode::SUCCESS),
        Command::Tidy { shrink: false } => tidy::run().map(|()| ExitCode::SUCCESS),
        Command::Tidy { shrink: true } => tidy::shrink().map(|()| ExitCode::SUCCESS),
        Command::Codegen { check: true } => codegen::check().map(|()| ExitCode::SUCCESS),
        Command::Codegen { check: false } => codegen::write().map(|()| ExitCode::SUCCESS),
        Command::Dist(passed) => delegate::run("xtask-dist", None, passed.arguments),
        Command::Lab(passed) => delegate::run("xtask-lab", None, passed.arguments),
        Command::Train(passed) => delegate::run("xtask-train", None, passed.arguments),
        Command::Bench(passed) => lab("bench", passed),
        Command::Compare(passed) => lab("compare", passed),
        Command::Eval(passed) => lab("eval", passed),
        Command::Messages(passed) => lab("messages", passed),
        Command::Reproduce(passed) => lab("reproduce", passed),
        Command::Store(passed) => lab("store", passed),
        Command::TrainWords(passed) => train("words", passed),
        Command::Vocabulary(passed) => train("vocabulary", passed),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_another_crate_pass_through() {
        let line = ["xtask", "bench", "--vectors", "a b", "--", "--help", "-h"];
        let Command::Bench(passed) = Xtask::parse_from(line).command else { panic!("another command") };
        assert_eq!(passed.arguments, ["--vectors", "a b", "--", "--help", "-h"]);
        let Command::Lab(passed) = Xtask::parse_from(["xtask", "lab", "--help"]).command else {
            panic!("another command")
        };
        assert_eq!(passed.arguments, ["--help"]);
    }
}

//! The project's own commands: `cargo xtask ci`, `tidy`, `codegen`, `bench` and so on.
//!
//! Every check and every generator is a Rust program here. It therefore runs the same on every
//! platform, and anyone can run continuous integration with one command. Nothing of it is part of
//! the released program.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

// Not `expect`: how much of `args` is used changes with each generated document.
#[path = "../../src/bin/git-cora/cli/args.rs"]
#[allow(dead_code)]
mod args;
mod bench;
mod ci;
mod codegen;
mod dictionary;
mod eval;
mod messages;
mod random;
mod reproduce;
mod store;
mod tidy;
mod train;
mod tree;
mod vocabulary;

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
    Tidy,
    /// Write man pages, completions and references from the definitions in the code.
    Codegen {
        /// Write nothing; fail if a file is not what it would become.
        #[arg(long)]
        check: bool,
    },
    /// Make the compression dictionary of records anew, from checkouts of other projects.
    TrainDictionary {
        /// Checkouts, of as many languages as possible.
        #[arg(required = true)]
        repositories: Vec<std::path::PathBuf>,
    },
    /// Measure how good the answers are, on queries with known answers.
    Eval(eval::Options),
    /// Write a set of messages with known answers, from the strings of repositories.
    Messages(messages::Options),
    /// Make the built-in embedding model anew.
    Train {
        /// Which step of it.
        #[command(subcommand)]
        step: train::Step,
    },
    /// Make the table of the encoding by which tokens are counted anew.
    Vocabulary,
    /// Test export to a database and search there, with a server that is installed for it.
    Store {
        /// The program; built if none is given.
        #[arg(long)]
        binary: Option<std::path::PathBuf>,
        /// Measure with these checkouts instead.
        #[arg(long, num_args = 1..)]
        bench: Vec<std::path::PathBuf>,
    },
    /// Compare what two builds of the program with other optimisation make of repositories, byte for byte.
    Reproduce(reproduce::Options),
    /// Measure on real repositories, each time beside what it is compared with.
    Bench(bench::Options),
}

fn main() -> ExitCode {
    let result = match Xtask::parse().command {
        Command::Ci => ci::run(),
        Command::Tidy => tidy::run(),
        Command::TrainDictionary { repositories } => dictionary::train(&repositories),
        Command::Eval(options) => eval::run(&options),
        Command::Messages(options) => messages::run(&options),
        Command::Vocabulary => vocabulary::write(),
        Command::Train { step } => train::run(&step),
        Command::Codegen { check: true } => codegen::check(),
        Command::Codegen { check: false } => codegen::write(),
        Command::Store { binary, bench } => store::run(binary, &bench),
        Command::Bench(options) => bench::run(&options),
        Command::Reproduce(options) => reproduce::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

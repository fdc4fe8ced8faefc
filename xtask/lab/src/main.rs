//! `cargo xtask lab …`: measures the product. It needs the product, so it is a crate of its own,
//! and `cargo xtask` runs it as a release build.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![allow(clippy::disallowed_methods, reason = "a tool of the workshop, not of the product")]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod compare;
mod eval;
mod frequencies;
mod kill;
mod messages;
mod refs;
mod reproduce;
mod store;
mod transcripts;

/// Measures the product.
#[derive(Debug, Parser)]
#[command(name = "lab", bin_name = "cargo xtask lab")]
struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure speed, memory and size on real repositories, next to well-known operations.
    Bench(bench::Options),
    /// Compare the indexes and the answers of two builds; fails if any differ.
    Compare(compare::Options),
    /// Measure how good the answers are, on queries with known answers.
    Eval(eval::Options),
    /// List the commonest frequencies of terms in segments, for the table of the format.
    Frequencies(frequencies::Options),
    /// Kill commands at random moments, and count what they leave behind.
    Kill(kill::Options),
    /// Write a set of messages with known answers, from the strings of repositories.
    Messages(messages::Options),
    /// Measure references against what a compiler's tool says.
    Refs(refs::Options),
    /// Check that two builds with different optimisation write the same bytes.
    Reproduce(reproduce::Options),
    /// Test export to a database and search there, with a server that is installed for it.
    Store {
        /// The program; built if none is given.
        #[arg(long)]
        binary: Option<PathBuf>,
        /// Measure with these checkouts instead.
        #[arg(long, num_args = 1..)]
        bench: Vec<PathBuf>,
    },
    /// Run the commands that the documents show, and compare what is printed; fails if it differs.
    Transcripts(transcripts::Options),
}

fn main() -> ExitCode {
    let result = match Lab::parse().command {
        Command::Bench(options) => bench::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Eval(options) => eval::run(&options),
        Command::Frequencies(options) => frequencies::run(&options),
        Command::Kill(options) => kill::run(&options),
        Command::Messages(options) => messages::run(&options),
        Command::Refs(options) => refs::run(&options),
        Command::Reproduce(options) => reproduce::run(&options),
        Command::Store { binary, bench } => store::run(binary, &bench),
        Command::Transcripts(options) => transcripts::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

//! `cargo xtask train …`: makes the files that the product carries: the built-in embedding model,
//! the encoder, the common words of records and the vocabulary of tokens.
//!
//! The model takes three steps, each repeatable bit for bit from the same inputs. `mine` reads
//! repositories and writes pairs of a text and the code that it describes. `fit` learns a vector
//! and two weights for each sub-token from them. `write` quantises these weights and prints how the
//! model does on sets that it was not trained on. The model card, `src/index/embed/MODEL.md`, has
//! the recipe, the repositories and the figures.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_possible_wrap)]
#![allow(clippy::disallowed_methods, reason = "a tool of the workshop, not of the product")]

mod adam;
mod asked;
mod commits;
mod compared;
mod corpus;
mod declared;
mod encoder;
mod examples;
mod fit;
mod history;
mod judge;
mod kernels;
mod layers;
mod lists;
mod mine;
mod pairs;
mod product;
mod sets;
mod sources;
mod student;
mod taught;
mod teacher;
mod transformer;
mod vocabulary;
mod weights;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Makes the files that the product carries.
#[derive(Debug, Parser)]
#[command(name = "train", bin_name = "cargo xtask train")]
struct Train {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Rebuild the list of common words that records name by number, from checkouts of other
    /// projects.
    Words {
        /// Checkouts, of as many languages as possible.
        #[arg(required = true)]
        repositories: Vec<PathBuf>,
    },
    /// Rebuild the table of the encoding by which tokens are counted.
    Vocabulary,
    /// Mine pairs of a text and its code from repositories.
    Mine(sources::Sources),
    /// Make questions with known answers from repositories that nothing is learnt from.
    Sets(sets::Options),
    /// Cut repositories into chunks, with texts that describe some of them.
    Lists(sources::Sources),
    /// Learn how a chunk's words are compared with a question's.
    Kernels(kernels::Options),
    /// Ask a teacher for the directions of texts and codes.
    Teach(taught::Options),
    /// Train the encoder, which compares the best chunks with a question.
    Encoder(encoder::Options),
    /// Train the embedding model, and write its weights as floats.
    Fit(fit::Options),
    /// Quantise weights into the file that the program carries.
    Write(weights::Options),
    /// Print a sample of the pairs in a file, at even distances.
    Show {
        /// A file that `mine` wrote.
        file: PathBuf,
        /// How many.
        #[arg(short, default_value_t = 20)]
        n: usize,
    },
}

fn main() -> ExitCode {
    let result = match Train::parse().step {
        Step::Words { repositories } => words::train(&repositories),
        Step::Vocabulary => vocabulary::write(),
        Step::Mine(sources) => mine::run(&sources),
        Step::Sets(options) => sets::run(&options),
        Step::Lists(sources) => lists::run(&sources),
        Step::Kernels(options) => kernels::run(&options),
        Step::Teach(options) => taught::run(&options),
        Step::Encoder(options) => encoder::run(&options),
        Step::Fit(options) => fit::run(&options),
        Step::Write(options) => weights::run(&options),
        Step::Show { file, n } => pairs::show(&file, n),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

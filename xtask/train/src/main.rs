//! `cargo xtask train …`: makes `src/search/embed/model.bin`, the built-in embedding model.
//!
//! Three steps, each repeatable bit for bit from the same inputs: `mine` reads repositories and writes pairs of a
//! text and the code that it describes; `fit` learns a vector and two weights for each sub-token from them and
//! writes the quantised model; `judge` measures a model on sets that it was not trained on. The model card,
//! `src/search/embed/MODEL.md`, has the recipe, the repositories and the figures.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_possible_wrap)]

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
mod weights;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

pub(crate) use sets::Set;

/// Steps of training.
#[derive(Debug, Subcommand)]
pub(crate) enum Step {
    /// Mine pairs of a text and its code from repositories.
    Mine(sources::Sources),
    /// Make questions with known answers from repositories that nothing is learnt from.
    Sets(sets::Options),
    /// Cut repositories into chunks, with texts that ask for some.
    Lists(sources::Sources),
    /// Learn how a chunk's words are compared with a question's.
    Kernels(kernels::Options),
    /// Ask a teacher for the directions of texts and codes.
    Teach(taught::Options),
    /// Learn what compares the best chunks with a question once more.
    Encoder(encoder::Options),
    /// Learn the weights.
    Fit(fit::Options),
    /// Quantise weights into the file that the program carries.
    Write(weights::Options),
    /// Print pairs of a file, evenly taken, to be read by eye.
    Show {
        /// A file that `mine` wrote.
        file: PathBuf,
        /// How many.
        #[arg(short, default_value_t = 20)]
        n: usize,
    },
}

pub(crate) fn run(step: &Step) -> Result<()> {
    match step {
        Step::Mine(sources) => mine::run(sources),
        Step::Sets(options) => sets::run(options),
        Step::Lists(sources) => lists::run(sources),
        Step::Kernels(options) => kernels::run(options),
        Step::Teach(options) => taught::run(options),
        Step::Encoder(options) => encoder::run(options),
        Step::Fit(options) => fit::run(options),
        Step::Write(options) => weights::run(options),
        Step::Show { file, n } => pairs::show(file, *n),
    }
}

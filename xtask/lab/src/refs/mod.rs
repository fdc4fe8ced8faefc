//! `refs`: measures references against what a compiler's tool says.
//!
//! An oracle ([`oracle`]) lists the declarations of a checkout and the lines that use each. The
//! same declarations are looked up in the index. An **edge** is a declaration and another one, or
//! the rest of a file, that refers to it. `compare` counts the edges that both have, by certainty,
//! by how the name is written ([`receiver`]), and by what it refers to ([`declared`]).
//!
//! A call through an interface is an edge to the interface's method. It is also a **possible** edge
//! to each method that implements it. The oracles of Go, Java and TypeScript list these. A guess
//! of the index that is a possible edge is right. A certain edge is wrong if it is only possible,
//! and a possible edge that the index lacks is not missing.
//!
//! An oracle does not see all files: those of another platform, or with code that it can't read.
//! Edges from such files are left out, and edges from lines that it says nothing about.

mod clang;
mod compare;
mod declared;
mod lsp;
mod oracle;
mod receiver;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};

use git_cora::Session;

use crate::eval::place;
use compare::{Count, Difference, Outcome};
use oracle::Asked;

/// Options of `refs`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The language, which determines the tool.
    #[arg(long)]
    language: Language,
    /// Maximum number of declarations per checkout, drawn at random.
    #[arg(long, default_value_t = 1000)]
    most: usize,
    /// Number of wrong and missing edges to list.
    #[arg(long, default_value_t = 0)]
    show: usize,
    /// A flag for the compiler of C or C++, such as `-DNAME`. May be given several times.
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    /// Folder that keeps what the tool says about each checkout, for the next run.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Checkouts without uncommitted changes: the tool reads the files, and the index is that of
    /// HEAD.
    #[arg(required = true, value_name = "DIR")]
    checkouts: Vec<PathBuf>,
}

/// A language with an oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// Go: `go/types`.
    Go,
    /// Java: javac.
    Java,
    /// TypeScript: the package `typescript`, in `NODE_PATH`.
    Typescript,
    /// C: clangd.
    C,
    /// C++: clangd.
    Cpp,
    /// Python: pyright, whose `pyright-langserver` is in `PATH`.
    Python,
    /// Rust: rustdoc.
    Rust,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    println!("| repository | declarations | certain: precision | recall | all: precision | recall |");
    println!("|---|---|---|---|---|---|");
    let mut outcomes = Vec::new();
    let asked = Asked { language: options.language, most: options.most, flags: &options.flags };
    for checkout in &options.checkouts {
        let checkout =
            checkout.canonicalize().with_context(|| format!("can't find '{}'", checkout.display()))?;
        let rows = match &options.keep {
            Some(folder) => oracle::kept(folder, &asked, &checkout)?,
            None => oracle::rows(&asked, &checkout)?,
        };
        let session = Session::open(&checkout)?;
        let searcher = place::open(&session, "HEAD")?;
        let outcome = compare::compare(&searcher, &rows, options.most)?;
        let name = checkout.file_name().map(|name| name.to_string_lossy().replace('+', "/"));
        let total = outcome.total();
        println!(
            "| {} | {} of {} | {} | {} | {} | {} |",
            name.unwrap_or_default(),
            outcome.n_found,
            outcome.n_asked,
            percent(total.certain_right, total.certain_right + total.certain_wrong),
            percent(total.certain_right, total.expected()),
            percent(total.right + total.possible, total.given()),
            percent(total.right, total.expected()),
        );
        outcomes.push(outcome);
    }
    print_kinds("written as", &outcomes, &receiver::ALL, |outcome| &outcome.by_receiver);
    print_kinds("refers to", &outcomes, &declared::ALL, |outcome| &outcome.by_declaration);
    print_kinds("declared in", &outcomes, &declared::PLACES, |outcome| &outcome.by_place);
    for outcome in &outcomes {
        print_differences(outcome, options.show);
    }
    Ok(())
}

/// Prints the edges of all checkouts by kind.
fn print_kinds(
    title: &str,
    outcomes: &[Outcome],
    kinds: &[&'static str],
    counts: impl Fn(&Outcome) -> &BTreeMap<&'static str, Count>,
) {
    println!("\n| {title} | edges | certain: precision | recall | all: precision | recall |");
    println!("|---|---|---|---|---|---|");
    for &kind in kinds {
        let mut sum = Count::default();
        for one in outcomes.iter().filter_map(|outcome| counts(outcome).get(kind)) {
            sum.add(one);
        }
        if sum.expected() + sum.given() == 0 {
            continue;
        }
        println!(
            "| {kind} | {} | {} | {} | {} | {} |",
            sum.expected(),
            percent(sum.certain_right, sum.certain_right + sum.certain_wrong),
            percent(sum.certain_right, sum.expected()),
            percent(sum.right + sum.possible, sum.given()),
            percent(sum.right, sum.expected()),
        );
    }
}

fn print_differences(outcome: &Outcome, most: usize) {
    for (title, wanted) in [
        ("certain and wrong", Difference::CertainWrong),
        ("wrong", Difference::Wrong),
        ("missing", Difference::Missing),
    ] {
        let found = outcome.differences.iter().filter(|(kind, _)| *kind == wanted);
        let all: Vec<&String> = found.map(|(_, text)| text).collect();
        // Spread over the checkout.
        let step = (all.len() / most.max(1)).max(1);
        for text in all.iter().step_by(step).take(most) {
            println!("{title}: {text}");
        }
    }
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 {
        return "–".to_owned();
    }
    format!("{:.1} % of {of}", part as f64 * 100.0 / of as f64)
}

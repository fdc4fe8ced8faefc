//! `cargo xtask lab transcripts`: documents -> differences between the output that they show and
//! the output that the program prints.
//!
//! A transcript is a block of type `console` in a Markdown document: commands behind `$ `, each
//! with its output. An HTML comment says where its commands ran, and holds until the next one:
//!
//! ```text
//! <!-- transcript: etcd-io/etcd c34dc7ee0048 -->
//! <!-- before: echo >>server/lease/lessor.go -->
//! ```
//!
//! The second form is optional, may be repeated, and holds for the next block alone: the shell runs
//! these lines first.
//! Each block has a fresh clone, so no block depends on another. [`compare`] says which differences
//! are allowed. Commands that need a network, a database or a model are listed and not run.

mod compare;
mod parse;
mod run;

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;

use crate::eval::place::mirror;
use compare::Step;
use parse::{Block, Shown, Source};
use run::{Clone, Printed};
use xtask_lab::product;

/// The name of this repository in a comment.
const THIS: &str = "git-cora/git-cora";
/// Folders whose documents are read, next to the README.
const FOLDERS: [&str; 2] = ["doc", "doc/guide"];

/// Options of `transcripts`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Documents to check instead of the README and all guides.
    #[arg(value_name = "DOCUMENT")]
    documents: Vec<PathBuf>,
    /// Folder with clones or mirrors of the repositories, `owner+name` or `owner+name/repo`.
    #[arg(long, value_name = "DIR")]
    repositories: PathBuf,
    /// The program, a file called `git-cora`; built if none is given.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Write the output that is printed now into the documents.
    #[arg(long)]
    update: bool,
}

/// Runs the commands of each document and prints what differs.
///
/// # Errors
/// If output differs and is not updated, and if a command can't be run.
pub(crate) fn run(options: &Options) -> Result<()> {
    let binary = match &options.binary {
        Some(path) => path.canonicalize().with_context(|| format!("can't find '{}'", path.display()))?,
        None => product::build()?,
    };
    let documents = if options.documents.is_empty() { documents()? } else { options.documents.clone() };
    let mut total = Count::default();
    for path in &documents {
        let shown = path.strip_prefix(product::root()).unwrap_or(path).display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| format!("can't read '{shown}'"))?;
        let lines: Vec<&str> = text.lines().collect();
        let mut check = Check {
            options,
            binary: &binary,
            name: &shown,
            lines: &lines,
            edits: Vec::new(),
            count: &mut total,
        };
        for block in parse::blocks(&lines).with_context(|| format!("can't parse '{shown}'"))? {
            check.block(&block)?;
        }
        if options.update && !check.edits.is_empty() {
            let updated = updated(&lines, &check.edits);
            std::fs::write(path, updated).with_context(|| format!("can't write '{shown}'"))?;
            println!("wrote {shown}");
        }
    }
    println!("{} of {} commands differ; {} were not run", total.differ, total.run, total.skipped);
    ensure!(
        total.differ == 0 || options.update,
        "the documents show other output\nhint: judge the difference; if it is right, add '--update'"
    );
    Ok(())
}

/// Returns the README and the guides, sorted.
fn documents() -> Result<Vec<PathBuf>> {
    let root = product::root();
    let mut found = vec![root.join("README.md")];
    for folder in FOLDERS {
        for entry in std::fs::read_dir(root.join(folder))? {
            found.push(entry?.path());
        }
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    found.sort();
    Ok(found)
}

/// Numbers of commands.
#[derive(Debug, Default)]
struct Count {
    /// Commands that were run.
    run: usize,
    /// Commands whose output differs from the document's.
    differ: usize,
    /// Commands that were not run.
    skipped: usize,
}

/// The check of one document.
struct Check<'a> {
    options: &'a Options,
    binary: &'a Path,
    /// The path of the document in the repository.
    name: &'a str,
    lines: &'a [&'a str],
    /// Outputs to replace, in the order of the document.
    edits: Vec<Edit>,
    count: &'a mut Count,
}

/// New lines for a range of lines.
struct Edit {
    range: Range<usize>,
    lines: Vec<String>,
}

impl Check<'_> {
    /// Runs the commands of a block and compares what they print.
    fn block(&mut self, block: &Block) -> Result<()> {
        let mut clone = None;
        for shown in &block.commands {
            let first = shown.command.lines().next().unwrap_or_default();
            // Every command runs at the root of the clone.
            if first.starts_with("cd ") {
                continue;
            }
            let place = format!("{}:{}: $ {first}", self.name, shown.line + 1);
            if let Some(reason) = run::obstacle(&shown.command) {
                println!("{place}\n  not run: {reason}");
                self.count.skipped += 1;
                continue;
            }
            let Some(source) = &block.source else {
                bail!("{place}\n  no comment '<!-- transcript: OWNER/NAME COMMIT -->' is before this block");
            };
            let clone = match &mut clone {
                Some(clone) => clone,
                None => clone.insert(self.clone(source, block.before.as_deref())?),
            };
            let printed = clone.run(&shown.command).with_context(|| place.clone())?;
            self.count.run += 1;
            self.compare(&place, shown, &printed);
        }
        Ok(())
    }

    /// Makes the clone of a block.
    fn clone(&self, source: &Source, before: Option<&str>) -> Result<Clone> {
        let repository = if source.repository == THIS {
            product::root()
        } else {
            mirror(&self.options.repositories, &source.repository)?
        };
        let clone = Clone::new(&repository, self.binary, source)?;
        if let Some(line) = before {
            let printed = clone.run(line)?;
            ensure!(printed.is_success, "'{line}' failed: {}", printed.text.trim());
        }
        Ok(clone)
    }

    /// Compares and prints the differences. A document may leave out the output of a command that
    /// succeeds.
    fn compare(&mut self, place: &str, shown: &Shown, printed: &Printed) {
        let old = &self.lines[shown.output.clone()];
        if old.is_empty() && printed.is_success {
            return;
        }
        let new: Vec<&str> = printed.text.trim_end().lines().collect();
        let steps = compare::steps(old, &new);
        if steps.iter().all(|step| matches!(step, Step::Keep(_))) {
            return;
        }
        self.count.differ += 1;
        println!("{place}");
        let number = |ord: usize| shown.output.start + ord + 1;
        let mut lines = Vec::new();
        for step in steps {
            match step {
                Step::Keep(ord) => lines.push(old[ord].to_owned()),
                Step::Remove(ord) => println!("{:5} - {}", number(ord), old[ord]),
                Step::Replace(ord, line) => {
                    println!("{:5} - {}\n      + {line}", number(ord), old[ord]);
                    lines.push(line);
                }
                Step::Add(line) => {
                    println!("      + {line}");
                    lines.push(line);
                }
            }
        }
        self.edits.push(Edit { range: shown.output.clone(), lines });
    }
}

/// Returns a document with other lines in some places.
fn updated(lines: &[&str], edits: &[Edit]) -> String {
    let mut text = String::new();
    let mut at = 0;
    for edit in edits {
        let kept = lines[at..edit.range.start].iter().copied();
        for line in kept.chain(edit.lines.iter().map(String::as_str)) {
            text.push_str(line);
            text.push('\n');
        }
        at = edit.range.end;
    }
    for line in &lines[at..] {
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_replaced_and_the_rest_stays() {
        let edit = |range, lines: &[&str]| Edit {
            range,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        };
        let edits = [edit(1..2, &["x", "y"]), edit(3..4, &[])];
        assert_eq!(updated(&["a", "b", "c", "d", "e"], &edits), "a\nx\ny\nc\ne\n");
        assert_eq!(updated(&["a", ""], &[]), "a\n\n");
    }

    #[test]
    fn every_transcript_that_can_be_run_says_where() {
        for path in documents().unwrap() {
            let text = std::fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            for block in parse::blocks(&lines).unwrap() {
                let is_run = block.commands.iter().any(|shown| {
                    !shown.command.starts_with("cd ") && run::obstacle(&shown.command).is_none()
                });
                assert!(block.source.is_some() || !is_run, "{}: {:?}", path.display(), block.commands);
            }
        }
    }
}

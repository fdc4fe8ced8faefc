//! Oracles: checkout → declarations and the lines that use each, as a compiler's tool knows them.
//!
//! Three oracles are programs in `xtask/lab/oracles` that print rows. The others are language
//! servers ([`lsp`](super::lsp)).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use super::{Language, lsp};
use xtask_lab::product;

/// A line of a file: path, and line from 1.
pub(super) type Line = (String, u32);

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Declaration {
    /// The line of its name.
    pub(super) at: Line,
    pub(super) name: String,
}

/// The output of an oracle.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The files that it has read.
    pub(super) files: BTreeSet<String>,
    /// The declarations with the lines that use each.
    pub(super) uses: BTreeMap<Declaration, BTreeSet<Line>>,
}

/// Returns what the oracle of a language knows about a checkout. A language server is asked about
/// `most` declarations.
pub(super) fn rows(language: Language, checkout: &Path, most: usize) -> Result<Rows> {
    let mut command = match language {
        Language::Go => program("go", &["run"], "oracle.go"),
        Language::Java => program("java", &[], "Oracle.java"),
        Language::Typescript => program("node", &["--max-old-space-size=8192"], "oracle.js"),
        Language::C => return lsp::rows(&lsp::CLANGD, checkout, most),
        Language::Python => return lsp::rows(&lsp::PYRIGHT, checkout, most),
    };
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.arg(checkout).output().with_context(|| format!("can't run '{name}'"))?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the oracle failed: {message}");
    parse(&String::from_utf8_lossy(&output.stdout))
}

fn program(name: &str, arguments: &[&str], file: &str) -> Command {
    let path: PathBuf = product::root().join("xtask/lab/oracles").join(file);
    let mut command = Command::new(name);
    command.args(arguments).arg(path).current_dir(std::env::temp_dir());
    command
}

/// Parses the rows that an oracle prints.
fn parse(text: &str) -> Result<Rows> {
    let mut rows = Rows::default();
    let mut uses: BTreeMap<Declaration, BTreeSet<Line>> = BTreeMap::new();
    let declared = |path: &str, line: &str, name: &str| -> Result<Declaration> {
        Ok(Declaration { at: (path.to_owned(), line.parse()?), name: name.to_owned() })
    };
    for row in text.lines() {
        match row.split('\t').collect::<Vec<_>>().as_slice() {
            ["file", path] => drop(rows.files.insert((*path).to_owned())),
            ["decl", path, line, name, _] => drop(rows.uses.entry(declared(path, line, name)?).or_default()),
            ["use", path, line, name, from, at] => {
                let at = ((*from).to_owned(), at.parse()?);
                uses.entry(declared(path, line, name)?).or_default().insert(at);
            }
            _ => bail!("not a row of an oracle: '{row}'"),
        }
    }
    // Uses of what is in a file that the oracle does not check in full.
    for (of, lines) in uses {
        if let Some(known) = rows.uses.get_mut(&of) {
            known.extend(lines);
        }
    }
    ensure!(!rows.uses.is_empty(), "the oracle found no declaration");
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read() {
        let text = "file\ta.go\ndecl\ta.go\t3\tGet\tfunction\nuse\ta.go\t3\tGet\tb.go\t7\nuse\tc.go\t1\tPut\tb.go\t8\n";
        let rows = parse(text).unwrap();
        assert_eq!(rows.files, BTreeSet::from(["a.go".to_owned()]));
        let get = Declaration { at: ("a.go".to_owned(), 3), name: "Get".to_owned() };
        assert_eq!(rows.uses, BTreeMap::from([(get, BTreeSet::from([("b.go".to_owned(), 7)]))]));
        for wrong in ["", "decl\ta.go\tx\tGet\tfunction\n", "other\n"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

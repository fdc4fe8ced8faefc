//! Oracles: checkout → declarations and the lines that use each, as a compiler's tool knows them.
//!
//! Four oracles are programs in `xtask/lab/oracles` that print rows. The others are language
//! servers ([`lsp`](super::lsp)). Rows can be kept in a folder, so that only the first run asks the
//! tool.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
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

/// The question for an oracle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) language: Language,
    /// Maximum number of declarations.
    pub(super) most: usize,
    /// Flags for the compiler of C or C++.
    pub(super) flags: &'a [String],
}

/// The output of an oracle.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The files that it has read.
    pub(super) files: BTreeSet<String>,
    /// The lines of those files that it says nothing about.
    pub(super) dark: BTreeSet<Line>,
    /// The declarations with the lines that use each.
    pub(super) uses: BTreeMap<Declaration, BTreeSet<Line>>,
    /// Methods with the lines that call each through a supertype or an interface, if the object
    /// there is of the method's type.
    pub(super) possible: BTreeMap<Declaration, BTreeSet<Line>>,
}

/// Returns the rows that `folder` keeps for a checkout. If there are none, asks the oracle and
/// keeps its rows.
pub(super) fn kept(folder: &Path, asked: &Asked<'_>, checkout: &Path) -> Result<Rows> {
    let name = checkout.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let path = folder.join(format!("{name}.{language:?}.tsv", language = asked.language).to_lowercase());
    if let Ok(text) = fs::read_to_string(&path) {
        return parse(&text);
    }
    let rows = rows(asked, checkout)?;
    fs::create_dir_all(folder)?;
    fs::write(path, print(&rows)?)?;
    Ok(rows)
}

/// Returns what the oracle of a language knows about a checkout. A language server is asked about
/// as many declarations as are compared.
pub(super) fn rows(asked: &Asked<'_>, checkout: &Path) -> Result<Rows> {
    let &Asked { language, most, flags } = asked;
    let mut command = match language {
        Language::Go => program("go", &["run"], "oracle.go"),
        Language::Java => program("java", &[], "Oracle.java"),
        Language::Typescript => program("node", &["--max-old-space-size=8192"], "oracle.js"),
        Language::Rust => program("python3", &[], "oracle.py"),
        Language::C => return lsp::rows(&lsp::CLANGD, checkout, most, flags),
        Language::Cpp => return lsp::rows(&lsp::CLANGD_CPP, checkout, most, flags),
        Language::Python => return lsp::rows(&lsp::PYRIGHT, checkout, most, &[]),
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

/// Returns rows as an oracle prints them.
fn print(rows: &Rows) -> Result<String> {
    let mut text = String::new();
    for path in &rows.files {
        writeln!(text, "file\t{path}")?;
    }
    for (path, line) in &rows.dark {
        writeln!(text, "dark\t{path}\t{line}")?;
    }
    for (of, lines) in &rows.uses {
        let of = format!("{}\t{}\t{}", of.at.0, of.at.1, of.name);
        writeln!(text, "decl\t{of}\t")?;
        for (path, line) in lines {
            writeln!(text, "use\t{of}\t{path}\t{line}")?;
        }
    }
    for (of, lines) in &rows.possible {
        for (path, line) in lines {
            let of = format!("{}\t{}\t{}", of.at.0, of.at.1, of.name);
            writeln!(text, "may\t{of}\t{path}\t{line}")?;
        }
    }
    Ok(text)
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
            ["dark", path, line] => drop(rows.dark.insert(((*path).to_owned(), line.parse()?))),
            ["decl", path, line, name, _] => drop(rows.uses.entry(declared(path, line, name)?).or_default()),
            [kind @ ("use" | "may"), path, line, name, from, at] => {
                let at = ((*from).to_owned(), at.parse()?);
                let of = if *kind == "use" { &mut uses } else { &mut rows.possible };
                of.entry(declared(path, line, name)?).or_default().insert(at);
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
        let text = "file\ta.go\ndark\ta.go\t9\ndecl\ta.go\t3\tGet\tfunction\nuse\ta.go\t3\tGet\tb.go\t7\nuse\tc.go\t1\tPut\tb.go\t8\nmay\ta.go\t3\tGet\tb.go\t9\n";
        let rows = parse(text).unwrap();
        assert_eq!(rows.files, BTreeSet::from(["a.go".to_owned()]));
        assert_eq!(rows.dark, BTreeSet::from([("a.go".to_owned(), 9)]));
        assert_eq!(parse(&print(&rows).unwrap()).unwrap().uses, rows.uses);
        let get = Declaration { at: ("a.go".to_owned(), 3), name: "Get".to_owned() };
        let at = |line| BTreeSet::from([("b.go".to_owned(), line)]);
        assert_eq!(rows.uses, BTreeMap::from([(get.clone(), at(7))]));
        assert_eq!(rows.possible, BTreeMap::from([(get, at(9))]));
        for wrong in ["", "decl\ta.go\tx\tGet\tfunction\n", "other\n"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

//! `cargo xtask codegen`: the documents that follow from definitions in the code.
//!
//! Man pages, completions and the command reference come from `src/cli/args.rs`, the table of settings from
//! `git_cora::config`. They are checked in, so that packagers and readers need no build; a test fails when they
//! are not what the definitions would give. Every output is a pure function of those definitions: no date, no
//! version, no width of a terminal.

mod completions;
mod man;
mod reference;

use anyhow::{Context as _, Result, bail};
use clap::CommandFactory as _;

use crate::tree;

/// Directories that hold generated files alone: what else lies there is left over from an older definition.
const OURS: &[&str] = &["man/", "completions/"];

/// A generated file.
struct Output {
    /// Path from the root.
    path: String,
    /// Content, with line feeds.
    text: String,
}

/// Fails if a file is not what it would become, and says which.
pub(crate) fn check() -> Result<()> {
    let drifted = drift(&outputs()?, &tree::files()?);
    if drifted.is_empty() {
        return Ok(());
    }
    bail!("not up to date: {}\nhint: run 'cargo xtask codegen' and commit the result", drifted.join(", "));
}

/// Writes what has changed, and removes what is no longer generated.
pub(crate) fn write() -> Result<()> {
    let outputs = outputs()?;
    for path in drift(&outputs, &tree::files()?) {
        let on_disk = tree::root().join(&path);
        if let Some(output) = outputs.iter().find(|output| output.path == path) {
            if let Some(folder) = on_disk.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&on_disk, &output.text).with_context(|| format!("cannot write '{path}'"))?;
            println!("wrote {path}");
        } else {
            std::fs::remove_file(&on_disk).with_context(|| format!("cannot remove '{path}'"))?;
            println!("removed {path}");
        }
    }
    Ok(())
}

/// The paths of outputs that differ from `files`, and of files that no output stands for.
fn drift(outputs: &[Output], files: &[tree::File]) -> Vec<String> {
    let differs = |output: &&Output| {
        let file = files.iter().find(|file| file.path == output.path);
        // A checkout on Windows may have other line ends.
        file.is_none_or(|file| file.text.replace("\r\n", "\n") != output.text)
    };
    let stale = |file: &&tree::File| {
        OURS.iter().any(|folder| file.path.starts_with(folder))
            && !file.path.contains("/.")
            && !outputs.iter().any(|output| output.path == file.path)
    };
    let changed = outputs.iter().filter(differs).map(|output| output.path.clone());
    changed.chain(files.iter().filter(stale).map(|file| file.path.clone())).collect()
}

fn outputs() -> Result<Vec<Output>> {
    // `git cora help` repeats every command: no document gains from that.
    let mut command = crate::args::Args::command().disable_help_subcommand(true);
    command.build();
    let mut outputs = man::outputs(&command)?;
    outputs.extend(completions::outputs(&command)?);
    outputs.extend(reference::outputs(&command));
    for output in &mut outputs {
        let lines: Vec<_> = output.text.lines().map(str::trim_end).collect();
        output.text = lines.join("\n").trim_end().to_owned() + "\n";
    }
    Ok(outputs)
}

/// The commands that people call.
fn subcommands(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command.get_subcommands().filter(|sub| !sub.is_hide_set())
}

/// The examples that a command's help ends with, one a line, without the heading; and the lines after them.
fn examples(command: &clap::Command) -> Vec<String> {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = text.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_checked_in_is_what_would_be_generated() {
        if let Err(error) = check() {
            panic!("{error}");
        }
    }

    #[test]
    fn drift_names_changed_missing_and_stale_files() {
        let output = |path: &str| Output { path: path.to_owned(), text: "a\n".to_owned() };
        let outputs = [output("man/same"), output("man/changed"), output("man/missing"), output("man/crlf")];
        let files = [
            tree::File::new("man/same", "a\n"),
            tree::File::new("man/changed", "b\n"),
            tree::File::new("man/crlf", "a\r\n"),
            tree::File::new("man/stale", ""),
            tree::File::new("doc/other.md", ""),
        ];
        assert_eq!(drift(&outputs, &files), ["man/changed", "man/missing", "man/stale"]);
    }

    #[test]
    fn every_command_has_help_and_examples_parse() {
        let mut command = crate::args::Args::command();
        command.build();
        command.clone().debug_assert();
        for sub in subcommands(&command).filter(|sub| sub.get_name() != "help") {
            assert!(sub.get_long_about().is_some(), "{} has no long help", sub.get_name());
            for arg in sub.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {} has no help", sub.get_name(), arg.get_id());
            }
        }
    }
}

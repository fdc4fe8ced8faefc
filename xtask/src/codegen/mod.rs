//! `cargo xtask codegen`: generates documents from definitions in the code.
//!
//! Man pages, completions and the command reference come from `src/bin/git-cora/cli/args/`, the
//! table of settings from `src/base/config/mod.rs`, the list of messages from all sources. They are
//! checked in, so that packagers and readers need no build; a test fails when they are not what the
//! definitions would give. Every output is a pure function of those definitions: no date, no
//! version, no width of a terminal.

mod completions;
mod man;
mod messages;
mod reference;

use anyhow::{Context as _, Result, bail};
use clap::{Command, CommandFactory as _};

use crate::tree;

/// Directories that hold only generated files: any other file there is left over from an older
/// definition.
const OURS: &[&str] = &["man/", "completions/"];

/// A generated file.
struct Output {
    /// Path relative to the root.
    path: String,
    /// Content, with line feeds as line ends.
    text: String,
}

/// Fails if a checked-in file differs from its generated form, and names it.
pub(crate) fn check() -> Result<()> {
    let drifted = drift(&outputs()?, &tree::files()?);
    if drifted.is_empty() {
        return Ok(());
    }
    bail!("not up to date: {}\nhint: run 'cargo xtask codegen' and commit the result", drifted.join(", "));
}

/// Writes the files that changed, and removes those that are no longer generated.
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

/// Returns the paths of outputs that differ from `files`, and of leftover files that have no
/// output.
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
    let outputs = [man::outputs()?, completions::outputs()?, reference::outputs(), messages::outputs()?];
    let tidied = outputs.into_iter().flatten().map(|output| {
        let lines: Vec<_> = output.text.lines().map(str::trim_end).collect();
        Output { text: lines.join("\n").trim_end().to_owned() + "\n", ..output }
    });
    Ok(tidied.collect())
}

/// Returns the command line as users see it, under the name by which it is called.
///
/// Hidden commands are left out. So are the help flags and the help command, which every document
/// would repeat.
fn command(bin_name: &'static str) -> Command {
    let defined = crate::definitions::args::Args::command();
    let mut command = Command::new("git-cora")
        .bin_name(bin_name)
        .subcommand_required(true)
        .subcommand_help_heading("Commands")
        .subcommand_value_name("COMMAND")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(defined.get_arguments())
        .subcommands(
            defined
                .get_subcommands()
                .filter(|sub| !sub.is_hide_set())
                .map(|sub| sub.clone().disable_help_flag(true)),
        );
    if let Some(about) = defined.get_about() {
        command = command.about(about.clone());
    }
    if let Some(about) = defined.get_long_about() {
        command = command.long_about(about.clone());
    }
    if let Some(after) = defined.get_after_help() {
        command = command.after_help(after.clone());
    }
    command.build();
    command
}

/// Returns the examples at the end of a command's help, one per line, without their heading and
/// what follows.
fn examples(command: &Command) -> Vec<String> {
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
    fn the_command_line_is_sound_and_helpful() {
        crate::definitions::args::Args::command().debug_assert();
        for sub in command("git cora").get_subcommands() {
            assert!(sub.get_long_about().is_some(), "{} has no long help", sub.get_name());
            assert!(sub.get_after_help().is_none() || !examples(sub).is_empty(), "{}", sub.get_name());
            for arg in sub.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {} has no help", sub.get_name(), arg.get_id());
            }
        }
    }

    #[test]
    fn each_command_is_in_one_group() {
        let top = command("git cora");
        let mut named: Vec<&str> =
            crate::definitions::args::GROUPS.iter().flat_map(|group| group.1).copied().collect();
        let mut defined: Vec<&str> = top.get_subcommands().map(Command::get_name).collect();
        named.sort_unstable();
        defined.sort_unstable();
        assert_eq!(named, defined);
    }

    /// Parses every example that has no quotes, pipes or substitutions with the parser it
    /// documents.
    #[test]
    fn examples_are_valid() {
        let top = command("git cora");
        let mut n_parsed = 0;
        for command in top.get_subcommands().chain([&top]) {
            for example in examples(command) {
                let end = [" #", " >", " <", " &"]
                    .iter()
                    .filter_map(|mark| example.find(mark))
                    .min()
                    .unwrap_or(example.len());
                let example = example[..end].trim();
                let Some(rest) = example.strip_prefix("git cora ") else { continue };
                if rest.contains(['"', '|', '$']) {
                    continue;
                }
                let words = rest.split_whitespace().map(|word| word.trim_matches('\''));
                let parsed = crate::definitions::args::Args::command()
                    .try_get_matches_from(["git-cora"].into_iter().chain(words));
                assert!(parsed.is_ok(), "{example}: {parsed:?}");
                n_parsed += 1;
            }
        }
        assert!(n_parsed > 10);
    }
}

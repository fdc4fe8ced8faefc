//! Output of results: to standard output, or on a terminal through a pager, in colour or not.
//!
//! Follows Git's settings and variables in Git's order, so that a user who has configured Git need
//! not configure this program.
#![allow(clippy::disallowed_methods, reason = "reads Git's variables for output, and starts the pager")]

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use git_cora::base::config::{self, Color, Pager};
use git_cora::git::Repository;

use super::args::{ColorMode, Screen};

/// Whether output is coloured: by `--color`, then `color.cora`, then `color.ui`, then whether it is
/// a terminal.
pub(crate) fn is_coloured(repo: &Repository, screen: &Screen) -> anyhow::Result<bool> {
    let is_terminal = std::io::stdout().is_terminal();
    let automatic = is_terminal
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|value| value != "dumb");
    match screen.color {
        Some(ColorMode::Always) => return Ok(true),
        Some(ColorMode::Never) => return Ok(false),
        Some(ColorMode::Auto) => return Ok(automatic),
        None => {}
    }
    for key in [config::COLOR.name, "color.ui"] {
        if let Some(value) = repo.config_string(key) {
            return Ok(match config::parse_color(key, &value)? {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => automatic,
            });
        }
    }
    Ok(automatic)
}

/// Width in columns without a terminal: ordinary source lines fit, lines of data are cut.
const NO_TERMINAL: usize = 400;

/// Returns the width of an output line in columns: `COLUMNS`, else that of the terminal.
pub(crate) fn width() -> usize {
    if let Some(columns) = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()) {
        return columns;
    }
    if !std::io::stdout().is_terminal() {
        return NO_TERMINAL;
    }
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
}

/// Prints text, on a terminal through the pager if Git's settings allow it.
pub(crate) fn print(repo: &Repository, screen: &Screen, text: &str) -> anyhow::Result<()> {
    let pager = if screen.no_pager || !std::io::stdout().is_terminal() { None } else { pager(repo)? };
    let Some(pager) = pager else {
        return std::io::stdout().lock().write_all(text.as_bytes()).context("can't write to standard output");
    };
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", &pager]);
        command
    } else {
        let mut command = Command::new("sh");
        command.args(["-c", &pager]);
        command
    };
    // The same defaults as Git's: less leaves short output on the screen and passes colours
    // through.
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    if std::env::var_os("LV").is_none() {
        command.env("LV", "-c");
    }
    match command.stdin(Stdio::piped()).spawn() {
        Ok(mut child) => {
            if let Some(mut stdin) = child.stdin.take() {
                // Fails if the user quits the pager before the end.
                let _ = stdin.write_all(text.as_bytes());
            }
            child.wait().context("can't wait for the pager")?;
            Ok(())
        }
        Err(_) => {
            std::io::stdout().lock().write_all(text.as_bytes()).context("can't write to standard output")
        }
    }
}

/// Returns the pager: `pager.cora`, then GIT_PAGER, `core.pager`, PAGER, `less`; `None` if switched
/// off.
fn pager(repo: &Repository) -> anyhow::Result<Option<String>> {
    if let Some(value) = repo.config_string(config::PAGER.name) {
        match config::parse_pager(config::PAGER.name, &value)? {
            Pager::Off => return Ok(None),
            Pager::Command(command) => return Ok(Some(command)),
            Pager::On => {}
        }
    }
    let chosen = std::env::var("GIT_PAGER")
        .ok()
        .or_else(|| repo.config_string("core.pager"))
        .or_else(|| std::env::var("PAGER").ok())
        .unwrap_or_else(|| "less".to_owned());
    Ok(Some(chosen).filter(|command| !command.is_empty() && command != "cat"))
}

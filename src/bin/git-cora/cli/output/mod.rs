//! Output of results: to standard output, or on a terminal through a pager, in colour or not.
//!
//! Owns [`Page`], to which a command writes its text, and the colours of a Markdown document.
//!
//! Follows Git's settings and variables in Git's order, so that a user who has configured Git need
//! not configure this program.
#![allow(clippy::disallowed_methods, reason = "reads Git's variables for output, and starts the pager")]

pub(crate) mod report;

use std::io::{IsTerminal, Write};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use git_cora::answer::view::Paint;
use git_cora::answer::view::theme::{PATH, SYMBOL};
use git_cora::base::config::{self, Color, Pager};
use git_cora::git::Repository;

use super::args::{ColorMode, Screen};

/// Whether output is coloured: by `--color`, then `color.cora`, then `color.ui`, then whether it is
/// a terminal.
pub(crate) fn is_coloured(repo: &Repository, screen: &Screen) -> anyhow::Result<bool> {
    let automatic = (std::io::stdout().is_terminal() || is_in_pager_of_git(repo))
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

/// Whether Git has started a pager for this command, as it does for `git -p cora`, and colours are
/// not switched off there.
fn is_in_pager_of_git(repo: &Repository) -> bool {
    std::env::var("GIT_PAGER_IN_USE").is_ok_and(|value| value == "true" || value == "1")
        && repo
            .config_string("color.pager")
            .is_none_or(|value| config::parse_bool("color.pager", &value).unwrap_or(true))
}

/// Colours a Markdown document: headings, and code in back quotes.
pub(crate) fn markdown(paint: Paint, text: &str) -> String {
    if !paint.is_on() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        is_code ^= line.starts_with("```");
        if is_code || line.starts_with("```") {
            out += line;
        } else if line.starts_with('#') {
            out += &paint.text(line, SYMBOL);
        } else {
            // An odd number of back quotes encloses nothing.
            let is_paired = line.matches('`').count() % 2 == 0;
            for (at, part) in line.split('`').enumerate() {
                out += if at > 0 { "`" } else { "" };
                out += &if at % 2 == 1 && is_paired { paint.text(part, PATH) } else { part.to_owned() };
            }
        }
        out += end;
    }
    out
}

/// Where the text of one command goes: to standard output, or on a terminal through the pager if
/// Git's settings allow it.
///
/// [`Page::close`] waits for the reader of the pager. A page that is dropped without it still
/// closes the pager's input.
pub(crate) struct Page {
    /// How to colour what is written.
    pub(crate) paint: Paint,
    pager: Option<Child>,
}

impl Page {
    pub(crate) fn open(repo: &Repository, screen: &Screen) -> anyhow::Result<Self> {
        let paint = Paint::new(is_coloured(repo, screen)?);
        if paint.is_on() {
            // Older consoles of Windows show colours only after a program has asked them to.
            let _ = anstream::AutoStream::always_ansi(std::io::stdout());
        }
        let command = if screen.no_pager || !std::io::stdout().is_terminal() { None } else { pager(repo)? };
        Ok(Self { paint, pager: command.and_then(|command| start(&command)) })
    }

    /// Writes text. After the reader has quit the pager, the text is dropped.
    pub(crate) fn write(&mut self, text: &str) -> anyhow::Result<()> {
        let Some(pager) = &mut self.pager else {
            return std::io::stdout()
                .lock()
                .write_all(text.as_bytes())
                .context("can't write to standard output");
        };
        if let Some(stdin) = &mut pager.stdin
            && stdin.write_all(text.as_bytes()).is_err()
        {
            pager.stdin = None;
        }
        Ok(())
    }

    /// Waits until the reader has quit the pager.
    pub(crate) fn close(mut self) -> anyhow::Result<()> {
        if let Some(mut pager) = self.pager.take() {
            drop(pager.stdin.take());
            pager.wait().context("can't wait for the pager")?;
        }
        Ok(())
    }
}

/// Prints text, on a terminal through the pager if Git's settings allow it.
pub(crate) fn print(repo: &Repository, screen: &Screen, text: &str) -> anyhow::Result<()> {
    let mut page = Page::open(repo, screen)?;
    page.write(text)?;
    page.close()
}

/// Starts a pager; `None` if that fails, and then the text goes to standard output.
fn start(pager: &str) -> Option<Child> {
    let shells: &[(&str, &str)] = match needs_shell(pager) {
        // Git for Windows has a shell, and puts it on the PATH of the programs that it starts.
        true if cfg!(windows) => &[("sh", "-c"), ("cmd", "/C")],
        true => &[("sh", "-c")],
        false => return spawn(Command::new(pager)),
    };
    shells.iter().find_map(|(shell, flag)| {
        let mut command = Command::new(shell);
        command.args([flag, pager]);
        spawn(command)
    })
}

/// Returns whether Git would hand this command to a shell (`prepare_shell_cmd` in `run-command.c`).
/// A program that a shell can't find would lose the text.
fn needs_shell(command: &str) -> bool {
    command.contains(|c| "|&;<>()$`\\\"' \t\n*?[#~=%".contains(c))
}

/// Starts the command of a pager.
fn spawn(mut command: Command) -> Option<Child> {
    // The same defaults as Git's: less leaves short output on the screen and passes colours
    // through.
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    if std::env::var_os("LV").is_none() {
        command.env("LV", "-c");
    }
    command.stdin(Stdio::piped()).spawn().ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pager_of_one_word_needs_no_shell() {
        for (command, expected) in [
            ("less", false),
            ("/usr/bin/less", false),
            ("less -R", true),
            ("LESS=F less", true),
            ("a|b", true),
        ] {
            assert_eq!(needs_shell(command), expected, "{command}");
        }
        assert!(start("no-such-pager-anywhere").is_none(), "the text goes to standard output");
    }

    #[test]
    fn a_document_is_coloured_and_its_text_stays() {
        for paint in [Paint::new(false), Paint::new(true)] {
            let page = "# `a`\n\n- [`b`](c) d ` e\n```\n`x`\n```\n[`b`](c)\n";
            let painted = markdown(paint, page);
            assert_eq!(anstream::adapter::strip_str(&painted).to_string(), page);
            assert_eq!(painted.contains('\x1b'), paint.is_on());
        }
    }
}

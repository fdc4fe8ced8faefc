//! Man pages: `git-cora.1`, which `git cora --help` opens, and one for each command.
//!
//! Everything comes from the definition of the command line and from the settings table.

use std::io::Write as _;

use crate::definitions::config;
use anyhow::Result;
use clap::Command;
use clap_mangen::Man;

use super::{Output, examples};

/// Renders all pages.
pub(super) fn outputs() -> Result<Vec<Output>> {
    let top = super::command("git cora");
    std::iter::once(&top).chain(top.get_subcommands()).map(|command| page(command, &top)).collect()
}

fn page(command: &Command, top: &Command) -> Result<Output> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let usage = command.clone().render_usage().to_string();
    // Like Git's own pages: the options as one word, since all of them follow below.
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let man = Man::new(command.clone().override_usage(usage));
    let mut text = Vec::new();
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    let examples = examples(command);
    if !examples.is_empty() {
        writeln!(text, ".SH EXAMPLES\n.nf")?;
        for example in examples {
            writeln!(text, "{}", escape(&example))?;
        }
        writeln!(text, ".fi")?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    man.render_options_section(&mut text)?;
    if command.get_name() == top.get_name() {
        writeln!(text, ".SH CONFIGURATION\nKeys of \\fBgit\\-config\\fR(1):")?;
        for key in config::KEYS {
            let default =
                if key.default.is_empty() { String::new() } else { format!(" (default {})", key.default) };
            writeln!(text, ".TP\n\\fB{}\\fR{}\n{}", escape(key.name), escape(&default), escape(key.doc))?;
        }
        writeln!(text, ".SH ENVIRONMENT\n.TP\n\\fB{}\\fR\n0 switches the hooks off.", config::ENV_SWITCH)?;
    }
    writeln!(
        text,
        ".SH \"EXIT STATUS\"\n0 found or done, 1 nothing found, 2 usage error or failure, 128 not in a Git repository, 130 interrupted."
    )?;
    let others = std::iter::once(top).chain(top.get_subcommands());
    let others = others.filter_map(Command::get_display_name).filter(|other| *other != name);
    let others: Vec<_> = others.map(|other| format!("\\fB{}\\fR(1)", escape(other))).collect();
    writeln!(text, ".SH \"SEE ALSO\"\n{}", others.join(", "))?;
    // Written here, because clap_mangen omits the quotes around an empty date, which shifts the
    // later arguments.
    let title = format!(".TH {} 1 \"\" \"git-cora\" \"git-cora manual\"\n", name.to_uppercase());
    Ok(Output { path: format!("man/{name}.1"), text: title + &embolden(&String::from_utf8(text)?) })
}

/// Makes text in back quotes bold, as the help intends. Examples, between `.nf` and `.fi`, stay as
/// they are.
fn embolden(page: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for line in page.lines() {
        is_code = (is_code || line == ".nf") && line != ".fi";
        let n_quotes = line.matches('`').count();
        if is_code || line.starts_with('.') || n_quotes % 2 == 1 {
            out += line;
        } else {
            for (ord, part) in line.split('`').enumerate() {
                out += part;
                if ord < n_quotes {
                    out += if ord % 2 == 0 { "\\fB" } else { "\\fR" };
                }
            }
        }
        out.push('\n');
    }
    out
}

/// Escapes text for roff: a leading dot or quote would be a request.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{embolden, escape};

    #[test]
    fn text_is_no_request() {
        let cases =
            [("a-b", "a\\-b"), (".SH", "\\&.SH"), ("a\\b", "a\\eb"), ("'x'", "\\&'x'"), ("x.y", "x.y")];
        for (text, expected) in cases {
            assert_eq!(escape(text), expected);
        }
    }

    #[test]
    fn back_quotes_become_bold_but_in_code() {
        assert_eq!(embolden("a `b` c\n"), "a \\fBb\\fR c\n");
        assert_eq!(embolden(".nf\n`b`\n.fi\n`b`\n"), ".nf\n`b`\n.fi\n\\fBb\\fR\n");
        assert_eq!(embolden("a ` b\n"), "a ` b\n");
    }
}

//! Man pages: `git-cora.1`, which `git cora --help` opens, and one for each command.

use std::io::Write as _;

use anyhow::Result;
use clap::Command;
use clap_mangen::Man;
use git_cora::config;

use super::{Output, examples, subcommands};

/// Renders all pages.
pub(super) fn outputs(command: &Command) -> Result<Vec<Output>> {
    let mut outputs = vec![page(command, command)?];
    for sub in subcommands(command) {
        outputs.push(page(sub, command)?);
    }
    Ok(outputs)
}

fn page(command: &Command, top: &Command) -> Result<Output> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let man = Man::new(visible(command)).title(name.to_uppercase()).source("git-cora").manual("Git Manual");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
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
        writeln!(
            text,
            ".TP\n\\fB{}\\fR\n1 writes steps and their times to standard error, 2 more of them; a path, to that file.",
            config::ENV_TRACE
        )?;
    }
    let examples = examples(command);
    if !examples.is_empty() {
        writeln!(text, ".SH EXAMPLES\n.nf")?;
        for example in examples {
            writeln!(text, "{}", escape(&example))?;
        }
        writeln!(text, ".fi")?;
    }
    writeln!(
        text,
        ".SH \"EXIT STATUS\"\n0 found or done, 1 nothing found, 2 usage error or failure, 128 not in a Git repository."
    )?;
    let others = std::iter::once(top).chain(subcommands(top));
    let others = others.filter_map(Command::get_display_name).filter(|other| *other != name);
    let others: Vec<_> = others.map(|other| format!("\\fB{}\\fR(1)", escape(other))).collect();
    writeln!(text, ".SH \"SEE ALSO\"\n{}", others.join(", "))?;
    Ok(Output { path: format!("man/{name}.1"), text: String::from_utf8(text)? })
}

/// The command without what every command's page would repeat, and without hidden commands.
fn visible(command: &Command) -> Command {
    let mut visible = command.clone().disable_help_flag(true).disable_version_flag(true);
    for sub in command.get_subcommands().filter(|sub| sub.is_hide_set()) {
        visible = visible.mut_subcommand(sub.get_name(), |sub| sub.hide(true));
    }
    visible
}

/// Text as roff takes it: a leading dot or quote would be a request.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn text_is_no_request() {
        let cases =
            [("a-b", "a\\-b"), (".SH", "\\&.SH"), ("a\\b", "a\\eb"), ("'x'", "\\&'x'"), ("x.y", "x.y")];
        for (text, expected) in cases {
            assert_eq!(escape(text), expected);
        }
    }
}

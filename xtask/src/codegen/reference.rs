//! `doc/commands.md` and `doc/config.md`: the command reference and the table of settings, in
//! Markdown.
//!
//! Both are rendered from the same definitions as the program's help, so that they cannot disagree
//! with it.

use std::fmt::Write as _;

use crate::definitions::config::{self, Kind};
use clap::{Arg, ArgAction, Command};

use super::{Output, examples};
use crate::definitions::args::GROUPS;

/// Renders both documents.
pub(super) fn outputs() -> Vec<Output> {
    let command = &super::command("git cora");
    vec![
        Output { path: "doc/commands.md".to_owned(), text: commands(command) },
        Output { path: "doc/config.md".to_owned(), text: settings() },
    ]
}

fn commands(top: &Command) -> String {
    let mut out = String::from(
        "# Commands\n\nGenerated from `src/bin/git-cora/cli/args/` by `cargo xtask codegen`; `git cora COMMAND --help` says the \
         same.\n\n",
    );
    out += &about(top);
    out += "\n| command | |\n|---|---|\n";
    for (heading, names) in GROUPS {
        let _ = writeln!(out, "| **{heading}** | |");
        for sub in names.iter().filter_map(|name| top.find_subcommand(name)) {
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(out, "| [`{0}`](#git-cora-{0}) | {1} |", sub.get_name(), cell(&about));
        }
    }
    out += "\n## General options\n\nEvery command accepts these.\n\n";
    for arg in top.get_arguments().filter(|arg| arg.is_global_set()) {
        out += &argument(arg);
    }
    for sub in top.get_subcommands() {
        let _ = write!(out, "\n## git cora {}\n\n```text\n{}\n```\n\n", sub.get_name(), synopsis(sub));
        out += &about(sub);
        let own = |arg: &&Arg| !arg.is_global_set() && !arg.is_hide_set();
        let mut args = sub.get_arguments().filter(own).peekable();
        if args.peek().is_some() {
            out += "\n";
        }
        for arg in args {
            out += &argument(arg);
        }
        let examples = examples(sub);
        if !examples.is_empty() {
            let _ = write!(out, "\n```sh\n{}\n```\n", examples.join("\n"));
        }
    }
    out
}

fn about(command: &Command) -> String {
    let text = command.get_long_about().or_else(|| command.get_about());
    text.map(|text| prose(&text.to_string()) + "\n").unwrap_or_default()
}

/// Returns the usage line: the command, `[OPTIONS]` and its arguments.
fn synopsis(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    usage.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}

fn argument(arg: &Arg) -> String {
    let value = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let value = value.filter(|_| arg.get_action().takes_values());
    let name = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}"),
        (Some(short), None) => format!("-{short}"),
        (None, Some(long)) => format!("--{long}"),
        (None, None) => String::new(),
    };
    let several = matches!(arg.get_action(), ArgAction::Append | ArgAction::Count);
    let mut out = String::from("- **`");
    out += [name.as_str(), value.as_deref().unwrap_or_default()].join(" ").trim();
    out += if several { "…`**" } else { "`**" };
    let help = arg.get_long_help().or_else(|| arg.get_help());
    for (ord, paragraph) in
        prose(&help.map(ToString::to_string).unwrap_or_default()).split("\n\n").enumerate()
    {
        out += if ord == 0 { " — " } else { "\n\n  " };
        out += paragraph;
        if !paragraph.ends_with(['.', ':', '?']) {
            out += ".";
        }
    }
    let values = arg.get_possible_values();
    if arg.get_action().takes_values() && !values.is_empty() {
        out += "\n\n  One of";
        if values.iter().any(|value| value.get_help().is_some()) {
            out += " these:\n";
            for value in &values {
                let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
                let _ = write!(out, "\n  - `{}`{}", value.get_name(), help.trim_end_matches('.'));
            }
            out += "\n\n ";
        } else {
            let names = values.iter().map(|value| format!("`{}`", value.get_name()));
            let _ = write!(out, " {}.", names.collect::<Vec<_>>().join(", "));
        }
    }
    if arg.get_action().takes_values()
        && let [default] = arg.get_default_values()
    {
        let _ = write!(out, " Default: `{}`.", default.to_string_lossy());
    }
    out.trim_end().to_owned() + "\n"
}

fn settings() -> String {
    let mut out = String::from(
        "# Settings\n\nGenerated from `src/base/config/mod.rs` by `cargo xtask codegen`.\n\nSet these keys with `git config`, \
         as in `git config cora.keep 50`. Numbers may end in `k`, `m` or `g`, for powers of 1024. A setting with ● affects the \
         content of indexes: clones that share indexes should use the same value.\n\n| key | type | default | |\n|---|---|---|---|\n",
    );
    for key in config::KEYS {
        let range = match key.kind {
            Kind::Count(min, max) | Kind::Bytes(min, max) => format!(", {min} to {max}"),
            _ => String::new(),
        };
        let default = if key.default.is_empty() { String::new() } else { format!("`{}`", key.default) };
        let mark = if key.changes_records { " ●" } else { "" };
        let _ = writeln!(
            out,
            "| `{}`{mark} | {}{range} | {default} | {} |",
            key.name,
            key.kind.name(),
            cell(key.doc)
        );
    }
    let _ = write!(
        out,
        "\n## Environment\n\n| variable | |\n|---|---|\n| `{}` | `0` switches the hooks off. |\n\n\
         All other environment variables are listed in [commands](commands.md).\n",
        config::ENV_SWITCH
    );
    out
}

/// Escapes help text for Markdown: angle brackets outside code would be taken for markup.
fn prose(help: &str) -> String {
    let parts = help.trim().split('`').enumerate();
    let parts =
        parts.map(|(ord, part)| if ord % 2 == 0 { part.replace('<', "\\<") } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("`")
}

/// Escapes text for a table cell.
fn cell(text: &str) -> String {
    prose(text).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_markup_only_in_code() {
        assert_eq!(prose("a <b> `<c>`"), "a \\<b> `<c>`");
        assert_eq!(cell("a|b"), "a\\|b");
    }
}

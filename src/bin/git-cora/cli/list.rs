//! `git cora list`: lists declarations, those of code first, by path and then by line.
//!
//! Reads the declarations of an open searcher and filters them; there is no ranking. If nothing
//! matches, it suggests similar names.

use std::fmt::Write as _;

use serde_json::json;

use git_cora::base::text::quoted;
use git_cora::index::chunk::{is_document, is_settings};
use git_cora::search::graph::WrittenName;
use git_cora::search::query::{Pathspec, declaration_kind_name};

use crate::terminal::Context;

use super::advice::absent::{Lookup, Purpose, absence};
use super::advice::pathspec;
use super::operand::from_root;
use super::output::Page;
use super::{Outcome, args, query};

pub(crate) fn run(context: &Context, args: &args::List) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let searcher = context.searcher(&session, args.revision.rev.as_deref())?;
    let index = searcher.index();
    let languages: Vec<String> =
        args.filter.lang.iter().map(|name| query::language(name)).collect::<anyhow::Result<_>>()?;
    let paths = from_root::pathspecs(context, &session, &args.filter.path)?;
    let specs: Vec<Pathspec> = paths
        .iter()
        .map(|spec| Pathspec::parse(spec))
        .collect::<Result<_, _>>()
        .map_err(git_cora::SessionError::from)?;
    let typed = from_root::all_typed(&args.filter.path);
    pathspec::complain_of_strays(context, &index, &typed, &paths);
    query::complain_of_languages(context, &index, &languages);
    let mut page = Page::open(session.repo(), &args.screen)?;
    let paint = page.paint;
    let full_name = args.pattern.as_deref().and_then(full_name);
    let most = args.limit.get().unwrap_or(usize::MAX);
    let mut n = 0usize;
    let mut out = String::new();
    let mut files: Vec<_> = index.files().collect();
    // Keys and headings are many, and seldom what a list of declarations is asked for.
    let is_code = |language: &str| !is_document(language) && !is_settings(language);
    files.sort_by_key(|file| (!is_code(file.language()), file.path()));
    for file in files {
        let is_wanted = (languages.is_empty() || languages.iter().any(|name| name == file.language()))
            && git_cora::search::query::admits(&specs, file.path());
        if !is_wanted {
            continue;
        }
        let path = quoted(file.path());
        for declaration in file.declarations() {
            let kind = declaration_kind_name(declaration.row.kind);
            let is_wanted = (args.filter.kind.is_empty()
                || args.filter.kind.iter().any(|wanted| wanted == kind))
                && args.pattern.as_deref().is_none_or(|pattern| {
                    matches(pattern, declaration.name())
                        || matches(pattern, &declaration.symbol_path())
                        || full_name.as_ref().is_some_and(|full| {
                            full.name == declaration.name() && full.fit(&file, &declaration.row).is_some()
                        })
                });
            if !is_wanted {
                continue;
            }
            n += 1;
            if n > most {
                continue;
            }
            let symbol = declaration.symbol_path();
            let (start, end) = (declaration.row.span.start_line, declaration.row.span.end_line);
            let at = declaration.row.name_line;
            let line = match args.json.is_wanted() {
                true => json!({
                    "path": path, "line": at, "start_line": start, "end_line": end,
                    "kind": kind, "symbol": symbol, "language": file.language(),
                })
                .to_string(),
                false => paint.declaration(&path, at, kind, &symbol),
            };
            let _ = writeln!(out, "{line}");
        }
        if out.len() > 1 << 16 {
            page.write(&out)?;
            out.clear();
        }
    }
    page.write(&out)?;
    page.close()?;
    context.tell_of_more(n.saturating_sub(most), "--limit");
    if n > 0 {
        return Ok(Outcome::Found);
    }
    match args.pattern.as_deref() {
        Some(pattern) => {
            let rev = args.revision.rev.as_deref();
            let lookup =
                Lookup { indexes: &[index], ..Lookup::new(Purpose::Listing, &session, pattern, rev) };
            // One object a line: no line is the right answer.
            absence(context, &lookup)?.tell(context, None)
        }
        None => {
            context.say("no declarations");
            if args.filter.kind.iter().any(|kind| matches!(kind.as_str(), "field" | "variant")) {
                context.say("hint: most fields and enum members are not listed; run 'git cora refs TYPE.FIELD' to find one");
            }
            Ok(Outcome::Nothing)
        }
    }
}

/// Reads a pattern as a name with its qualifiers, as `git cora refs` does: a package or a namespace
/// is not a part of a symbol (`org.example.Cart`). `None` for another pattern.
fn full_name(pattern: &str) -> Option<WrittenName> {
    let written = WrittenName::parse(pattern);
    (written.n_qualifiers() > 0 && !pattern.contains(['*', '?', ' '])).then_some(written)
}

/// Whether a name matches a pattern.
///
/// A pattern with `*` or `?` must match the whole name; any other must occur in it. Without upper
/// case in the pattern, case is ignored.
fn matches(pattern: &str, name: &str) -> bool {
    let has_upper = pattern.chars().any(char::is_uppercase);
    if !pattern.contains(['*', '?']) {
        return if has_upper { name.contains(pattern) } else { name.to_lowercase().contains(pattern) };
    }
    let fold = |text: &str| -> Vec<char> {
        if has_upper { text.chars().collect() } else { text.to_lowercase().chars().collect() }
    };
    let (pattern, name) = (fold(pattern), fold(name));
    // Wildcards backtrack to the last `*`: linear in practice, bounded by the product of the
    // lengths.
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || name.get(n) == Some(&c) => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    p = at + 1;
                    n = from + 1;
                    star = Some((at, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).is_some_and(|rest| rest.iter().all(|&c| c == '*'))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn wildcards_and_smart_case() {
        for (pattern, name, expected) in [
            ("parse_*", "parse_header", true),
            ("parse", "parse_header", true),
            ("Parse", "parse_header", false),
            ("head", "parseHeader", true),
            ("*er", "Parser", true),
            ("P*er", "parser", false),
            ("?et", "get", true),
            ("*a*b*", "xaybz", true),
            ("", "x", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}

//! Converts pathspecs from how they are typed, relative to the current directory, to the root of
//! the work tree.
//!
//! The query stage knows only paths from the root and no current directory. The magic that Git
//! knows is kept; `top` and `/` already mean the root.

use std::ffi::OsString;

use git_cora::Session;
use git_cora::search::query::Pathspec;
use git_cora::search::segment::Index;

use super::context::Context;
use super::near;

/// Returns the pathspecs relative to the root, as the query stage takes them.
///
/// # Errors
/// If a pathspec is not UTF-8, which the query stage does not support; `?` matches any byte.
pub(crate) fn from_root(
    session: &Session,
    context: &Context,
    specs: &[OsString],
) -> anyhow::Result<Vec<String>> {
    let prefix = prefix(session, context);
    let moved = |spec: &OsString| match spec.to_str() {
        Some(spec) => Ok(moved(&prefix, spec)),
        None => anyhow::bail!(
            "pathspec '{}' is not UTF-8; put '?' for each byte that is not, and '/*' behind a directory",
            spec.display()
        ),
    };
    specs.iter().map(moved).collect()
}

/// Reports each pathspec (relative to the root) that matches no file, and suggests similar paths.
///
/// `typed` are the same pathspecs as the user wrote them. Returns whether there were any.
pub(crate) fn complain_of_strays(
    context: &Context,
    index: &Index<'_>,
    typed: &[String],
    specs: &[String],
) -> bool {
    let mut is_told = false;
    for (typed, spec) in typed.iter().zip(specs) {
        let Ok(parsed) = Pathspec::parse(spec) else { continue };
        if parsed.is_exclusion() || index.files().any(|file| parsed.fits(file.path())) {
            continue;
        }
        context.say(&format!("note: no file matches '{typed}'"));
        is_told = true;
        let pattern =
            spec.strip_prefix(":(").and_then(|rest| rest.split_once(')')).map_or(spec.as_str(), |s| s.1);
        if pattern.contains(['*', '?', '[']) {
            continue;
        }
        let found = near::paths(pattern, index.files().map(|file| file.path()));
        // The suggestion works from the current directory.
        let here =
            found.iter().map(|path| if specs.contains(typed) { path.clone() } else { format!(":/{path}") });
        if let Some(question) = near::question(&here.collect::<Vec<_>>()) {
            context.say(&format!("hint: {question}"));
        }
    }
    is_told
}

/// Returns the current directory relative to the root of the work tree, without a trailing slash.
///
/// Empty at the root, outside the work tree, and without a work tree.
fn prefix(session: &Session, context: &Context) -> String {
    let Some(root) = session.repo().work_dir() else { return String::new() };
    let (Ok(root), Ok(here)) = (root.canonicalize(), context.directory().canonicalize()) else {
        return String::new();
    };
    let inside = here.strip_prefix(&root).unwrap_or("".as_ref());
    let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// Moves a pathspec from the directory `prefix` to the root. An invalid one is returned as it is:
/// the query stage reports the error.
fn moved(prefix: &str, spec: &str) -> String {
    let (magic, pattern) = match spec.strip_prefix(":(").and_then(|rest| rest.split_once(')')) {
        Some((words, pattern)) => (words.to_owned(), pattern),
        None => {
            let rest = spec.strip_prefix(':').unwrap_or(spec);
            let pattern = match rest.len() == spec.len() {
                true => rest.strip_prefix('!').unwrap_or(rest),
                false => rest.trim_start_matches(['!', '^', '/']),
            };
            let marks = &rest[..rest.len() - pattern.len()];
            let words = [(['!', '^'].as_slice(), "exclude"), (['/'].as_slice(), "top")];
            let words = words.iter().filter(|(chars, _)| marks.contains(*chars)).map(|(_, word)| *word);
            let pattern = if rest.len() == spec.len() { pattern } else { pattern.trim_start_matches(':') };
            (words.collect::<Vec<_>>().join(","), pattern)
        }
    };
    if prefix.is_empty() && !pattern.split('/').any(|part| part == "..")
        || spec.starts_with(":(") && !spec.contains(')')
        || magic.split(',').any(|word| word == "top")
    {
        return spec.to_owned();
    }
    let is_literal =
        magic.split(',').any(|word| word == "literal") || !pattern.contains(['*', '?', '[', '\\']);
    let mut parts: Vec<String> = prefix
        .split('/')
        .filter(|part| !part.is_empty())
        .map(|part| if is_literal { part.to_owned() } else { escaped(part) })
        .collect();
    for part in pattern.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part.to_owned()),
        }
    }
    let end = if pattern.ends_with('/') && !parts.is_empty() { "/" } else { "" };
    let literal = if is_literal { "literal" } else { "" };
    format!(":({magic},{literal},top){}{end}", parts.join("/"))
}

/// Escapes the wildcards in a directory's name.
fn escaped(name: &str) -> String {
    name.chars()
        .flat_map(|c| matches!(c, '*' | '?' | '[' | '\\').then_some('\\').into_iter().chain([c]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use git_cora::search::query::{Pathspec, admits};

    #[test]
    fn pathspecs_mean_what_they_mean_where_they_are_typed() {
        for (prefix, spec, path, expected) in [
            ("", "src", "src/a.rs", true),
            ("lib", "src", "src/a.rs", false),
            ("lib", "src", "lib/src/a.rs", true),
            ("lib", ".", "lib/a.py", true),
            ("lib", ".", "src/a.rs", false),
            ("lib/deep", "..", "lib/a.py", true),
            ("lib/deep", "../../src", "src/a.rs", true),
            ("lib", "*.py", "lib/deep/a.py", true),
            ("lib", "*.py", "src/a.py", false),
            ("lib", ":(glob)*.py", "lib/deep/a.py", false),
            ("lib", ":(glob)**/*.py", "lib/deep/a.py", true),
            ("lib", ":(top)src", "src/a.rs", true),
            ("lib", ":/src", "src/a.rs", true),
            ("lib", ":!deep", "lib/deep/a.py", false),
            ("lib", "!deep", "lib/deep/a.py", false),
            ("lib", ":!deep", "lib/a.py", true),
            ("lib", ":(icase)A.PY", "lib/a.py", true),
            ("l[i]b", "a.py", "l[i]b/a.py", true),
            ("l[i]b", "*.py", "l[i]b/a.py", true),
            ("l[i]b", "*.py", "lib/a.py", false),
            ("", "..", "a.py", true),
        ] {
            let moved = moved(prefix, spec);
            let parsed = Pathspec::parse(&moved).unwrap();
            assert_eq!(admits(&[parsed], path.into()), expected, "{prefix} {spec} → {moved}, {path}");
        }
        for bad in [":(bogus)x", ":(icase"] {
            assert!(Pathspec::parse(&moved("lib", bad)).is_err(), "{bad}");
        }
    }
}

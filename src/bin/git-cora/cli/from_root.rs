//! Converts what is typed in the current directory to the root of the work tree: a path, a
//! PATH:SYMBOL, pathspecs.
//!
//! The library knows only paths from the root and no current directory. Conversion is textual: a
//! path may exist in another commit only. The magic of pathspecs is kept; `top` and `/` already
//! mean the root.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use bstr::{BString, ByteSlice};

use git_cora::Session;
use git_cora::git::Repository;

use super::context::Context;

/// Returns a path relative to the root. Without a work tree the path is returned as it is.
///
/// # Errors
/// If the path is outside the repository.
pub(crate) fn path(context: &Context, session: &Session, path: BString) -> anyhow::Result<BString> {
    let Some(typed_root) = session.repo().work_dir() else { return Ok(path) };
    let root = typed_root.canonicalize().unwrap_or_else(|_| typed_root.to_owned());
    let here = std::path::absolute(context.directory())?;
    let here = here.canonicalize().unwrap_or(here);
    let mut full = PathBuf::new();
    for part in here.join(path.to_path().context("this system can't represent the path")?).components() {
        match part {
            Component::ParentDir => drop(full.pop()),
            Component::CurDir => {}
            part => full.push(part),
        }
    }
    // An absolute path may name the root through a symbolic link.
    let inside = full.strip_prefix(&root).or_else(|_| full.strip_prefix(typed_root));
    match inside {
        Ok(inside) => {
            let inside = <[u8]>::from_path(inside).context("Git can't store this path")?;
            Ok(if cfg!(windows) { inside.replace("\\", "/").into() } else { inside.into() })
        }
        Err(_) => anyhow::bail!("'{path}' is outside the repository"),
    }
}

/// Returns paths from the root as they are typed in the current directory: the reverse of [`path`].
pub(crate) fn as_typed(context: &Context, repo: &Repository, paths: Vec<String>) -> Vec<String> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let here = std::path::absolute(context.directory()).map(|here| real(&here)).unwrap_or_default();
    let inside = repo.work_dir().and_then(|root| here.strip_prefix(real(root)).ok());
    let Some(inside) = inside.and_then(Path::to_str).filter(|inside| !inside.is_empty()) else {
        return paths;
    };
    let inside: Vec<&str> = inside.split(['/', std::path::MAIN_SEPARATOR]).collect();
    paths.into_iter().map(|path| relative(&inside, &path)).collect()
}

/// Returns a path from the root relative to the directory with these parts.
fn relative(inside: &[&str], path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let n_shared = inside.iter().zip(&parts).take_while(|(a, b)| a == b).count().min(parts.len() - 1);
    let up = std::iter::repeat_n("..", inside.len() - n_shared);
    up.chain(parts.into_iter().skip(n_shared)).collect::<Vec<_>>().join("/")
}

/// Returns PATH:SYMBOL with its path relative to the root; a bare symbol is returned as it is.
///
/// `a::b` is a name, so its colons separate no path. `A:b` may be a name too. It is converted as if
/// `A` were a path, which changes nothing at the root.
pub(crate) fn symbol(context: &Context, session: &Session, symbol: &str) -> String {
    let split = symbol.rsplit_once(':').filter(|(path, _)| !path.ends_with(':'));
    let moved = split.and_then(|(file, rest)| {
        let file = path(context, session, BString::from(file)).ok()?;
        Some(format!("{file}:{rest}"))
    });
    moved.unwrap_or_else(|| symbol.to_owned())
}

/// Returns pathspecs relative to the root.
///
/// # Errors
/// If a pathspec is outside the repository, as in Git. If it is not UTF-8, which the query stage
/// does not support; `?` matches any byte.
pub(crate) fn pathspecs(
    context: &Context,
    session: &Session,
    specs: &[OsString],
) -> anyhow::Result<Vec<String>> {
    // Outside the work tree, pathspecs already are relative to the root.
    let prefix = path(context, session, BString::default()).unwrap_or_default().to_string();
    let absolute = |typed: &str| Some(path(context, session, typed.into()).ok()?.to_string());
    let moved = |spec: &OsString| match spec.to_str() {
        Some(spec) => moved(&prefix, spec, absolute)
            .ok_or_else(|| anyhow::anyhow!("'{spec}' is outside the repository")),
        None => anyhow::bail!(
            "pathspec '{}' is not UTF-8; write '?' for each byte that is not UTF-8, and add '/*' to a directory",
            spec.display()
        ),
    };
    specs.iter().map(moved).collect()
}

/// Moves a pathspec from the directory `prefix` to the root; `absolute` converts an absolute path,
/// if it is in the work tree. `None` if the pathspec leads out of the work tree. An invalid
/// pathspec is returned as it is: the query stage reports the error.
fn moved(prefix: &str, spec: &str, absolute: impl Fn(&str) -> Option<String>) -> Option<String> {
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
    let is_absolute = pattern.starts_with('/');
    let inside = if is_absolute { absolute(pattern) } else { None };
    let (prefix, path) = match &inside {
        Some(inside) => ("", inside.as_str()),
        None => (prefix, pattern),
    };
    if prefix.is_empty() && !is_absolute && !pattern.split('/').any(|part| part == "..")
        || spec.starts_with(":(") && !spec.contains(')')
        || magic.split(',').any(|word| word == "top")
    {
        return Some(spec.to_owned());
    }
    if is_absolute && inside.is_none() {
        return None;
    }
    let is_literal =
        magic.split(',').any(|word| word == "literal") || !pattern.contains(['*', '?', '[', '\\']);
    let mut parts: Vec<String> = prefix
        .split('/')
        .filter(|part| !part.is_empty())
        .map(|part| if is_literal { part.to_owned() } else { escaped(part) })
        .collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part.to_owned()),
        }
    }
    let end = if pattern.ends_with('/') && !parts.is_empty() { "/" } else { "" };
    let literal = if is_literal { "literal" } else { "" };
    Some(format!(":({magic},{literal},top){}{end}", parts.join("/")))
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

    /// Converts a path in the directory `/work`.
    fn in_work(typed: &str) -> Option<String> {
        Some(typed.strip_prefix("/work/")?.to_owned())
    }

    #[test]
    fn a_suggested_path_is_found_from_where_it_is_typed() {
        for (inside, path, expected) in [
            (&["lib"][..], "lib/a.py", "a.py"),
            (&["lib"], "src/a.rs", "../src/a.rs"),
            (&["lib", "deep"], "lib/a.py", "../a.py"),
            (&["lib"], "lib", "../lib"),
            (&["lib"], "README.md", "../README.md"),
        ] {
            assert_eq!(relative(inside, path), expected, "{inside:?} {path}");
        }
    }

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
            ("lib", "/work/src", "src/a.rs", true),
            ("lib", ":(icase)/work/SRC", "src/a.rs", true),
            ("lib", "/work/src/*.rs", "src/deep/a.rs", true),
            ("lib", "!/work/src", "src/a.rs", false),
            ("lib", ":(top)..", "a.py", false),
        ] {
            let moved = moved(prefix, spec, in_work).unwrap();
            let parsed = Pathspec::parse(&moved).unwrap();
            assert_eq!(admits(&[parsed], path.into()), expected, "{prefix} {spec} → {moved}, {path}");
        }
        for bad in [":(bogus)x", ":(icase"] {
            assert!(Pathspec::parse(&moved("lib", bad, in_work).unwrap()).is_err(), "{bad}");
        }
        for (prefix, outside) in [
            ("", ".."),
            ("lib", "../.."),
            ("lib", "!../../x"),
            ("lib", "/elsewhere/src"),
            ("", "/elsewhere/*.rs"),
        ] {
            assert_eq!(moved(prefix, outside, in_work), None, "{prefix} {outside}");
        }
    }
}

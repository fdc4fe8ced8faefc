//! Converts what is typed in the current directory to the root of the work tree: a path, a
//! PATH:SYMBOL, pathspecs.
//!
//! The library knows only paths from the root and no current directory. [`path`] converts a path
//! textually: it may exist in another commit only. [`file`] decides for the whole program where the
//! path of a file starts: in the current directory, or else at the root, as paths are printed. The
//! caller says which files there are, because that depends on the revision.
//!
//! The magic of pathspecs is kept; `top` and `/` already mean the root. Pathspecs mean what they
//! mean in Git, so they never start at the root because of the files that exist.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use bstr::{BStr, BString, ByteSlice};

use git_cora::base::path::{below, real_or_same};
use git_cora::base::text::{named_path, quoted, unescaped};
use git_cora::git::{EntryMode, Repository};
use git_cora::search::query::Pathspec;
use git_cora::search::segment::Index;
use git_cora::{Session, Target};

use crate::input::place::splits;
use crate::terminal::Context;

/// Returns what was typed as text: a path that is not UTF-8 is quoted, as it is printed.
pub(crate) fn typed(text: &OsStr) -> Cow<'_, str> {
    if let Some(text) = text.to_str() {
        return Cow::Borrowed(text);
    }
    let Some(bytes) = <[u8]>::from_os_str(text) else { return text.to_string_lossy() };
    // Names of declarations are UTF-8, so the path ends at a colon behind its last odd byte.
    let mut odd_end = 0;
    let mut at = 0;
    for part in bytes.utf8_chunks() {
        at += part.valid().len() + part.invalid().len();
        odd_end = if part.invalid().is_empty() { odd_end } else { at };
    }
    let (odd, rest) = bytes.split_at(odd_end);
    let (end, rest) = rest.split_at(rest.find_byte(b':').unwrap_or(rest.len()));
    Cow::Owned(format!("{}{}", quoted([odd, end].concat().as_bstr()), rest.as_bstr()))
}

/// Returns words as [`typed`] does.
pub(crate) fn all_typed(words: &[OsString]) -> Vec<String> {
    words.iter().map(|word| typed(word).into_owned()).collect()
}

/// Answers whether there is a file with a path from the root.
pub(crate) type FileTest<'f> = dyn Fn(&BStr) -> anyhow::Result<bool> + 'f;

/// Returns a test for the files of an index, skipped ones included.
pub(crate) fn in_index<'i>(index: &'i Index<'_>) -> impl Fn(&BStr) -> anyhow::Result<bool> + 'i {
    |path| Ok(index.file_by_path(path).is_some())
}

/// Returns a test for the files of a commit; for the working tree, also for those on the disk.
///
/// # Errors
/// If the commit can't be read.
pub(crate) fn in_target<'r>(
    repo: &'r Repository,
    target: &Target,
) -> anyhow::Result<impl Fn(&BStr) -> anyhow::Result<bool> + use<'r>> {
    let (commit, root) = match target {
        Target::Commit(commit) => (Some(*commit), None),
        Target::Worktree => (repo.resolve("HEAD").ok(), repo.work_dir()),
    };
    let tree = commit.map(|commit| repo.commit(commit)).transpose()?.map(|commit| commit.tree);
    Ok(move |path: &BStr| {
        let entry = tree.map(|tree| repo.tree_entry(tree, path)).transpose()?.flatten();
        let native = root.zip(path.to_path().ok());
        Ok(entry.is_some_and(|entry| entry.mode != EntryMode::Directory)
            || native.is_some_and(|(root, path)| root.join(path).is_file()))
    })
}

/// Returns a path relative to the root. Without a work tree the path is returned as it is.
///
/// # Errors
/// If the path is outside the repository.
pub(crate) fn path(context: &Context, session: &Session, path: BString) -> anyhow::Result<BString> {
    let Some(root) = session.repo().work_dir() else { return Ok(path) };
    let here = std::path::absolute(context.directory())?;
    inside(root, &real_or_same(&here), path)
}

/// Returns a path that is typed in the directory `here` relative to the root.
fn inside(root: &Path, here: &Path, path: BString) -> anyhow::Result<BString> {
    let mut full = PathBuf::new();
    for part in here.join(path.to_path().context("this system can't represent the path")?).components() {
        match part {
            Component::ParentDir => drop(full.pop()),
            Component::CurDir => {}
            part => full.push(part),
        }
    }
    match below(root, &full) {
        Some(inside) => {
            let inside = <[u8]>::from_path(&inside).context("Git can't store this path")?;
            Ok(if cfg!(windows) { inside.replace("\\", "/").into() } else { inside.into() })
        }
        None => anyhow::bail!("'{path}' is outside the repository"),
    }
}

/// Returns the path of a file relative to the root.
///
/// A path starts in the current directory. If no file has that path, but one has it from the root,
/// the path starts at the root: the program prints paths so. A path that begins with `./`, `../` or
/// `/` says itself where it starts. A path that no file has is converted as by [`path`].
///
/// # Errors
/// If no file has the path, and it is outside the repository.
pub(crate) fn file(
    context: &Context,
    session: &Session,
    typed: BString,
    has: &FileTest<'_>,
) -> anyhow::Result<BString> {
    match existing(context, session, typed.as_bstr(), has)? {
        Some(found) => Ok(found),
        None => path(context, session, typed.to_str().map_or_else(|_| typed.clone(), named_path)),
    }
}

/// Returns the path of an existing file relative to the root, by the rule of [`file`].
///
/// A path may be typed as it is printed, in quotes. A shell takes away the quotes of such a path,
/// and leaves its backslashes.
///
/// # Errors
/// If the test fails.
pub(crate) fn existing(
    context: &Context,
    session: &Session,
    typed: &BStr,
    has: &FileTest<'_>,
) -> anyhow::Result<Option<BString>> {
    if let Some(found) = existing_path(context, session, typed, has)? {
        return Ok(Some(found));
    }
    let Some(text) = typed.to_str().ok().filter(|text| text.contains('\\') || text.starts_with('"')) else {
        return Ok(None);
    };
    for path in [Some(named_path(text)), unescaped(text)].into_iter().flatten().filter(|path| path != typed) {
        if let Some(found) = existing_path(context, session, path.as_bstr(), has)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Returns the path of an existing file that is typed without quotes.
fn existing_path(
    context: &Context,
    session: &Session,
    typed: &BStr,
    has: &FileTest<'_>,
) -> anyhow::Result<Option<BString>> {
    let here = path(context, session, typed.to_owned()).ok();
    if let Some(here) = &here
        && has(here.as_bstr())?
    {
        return Ok(Some(here.clone()));
    }
    let Some(root) = session.repo().work_dir().filter(|_| !says_where(typed)) else { return Ok(None) };
    let Ok(from_root) = inside(root, root, typed.to_owned()) else { return Ok(None) };
    let is_other = here.is_none_or(|here| here != from_root);
    Ok(if is_other && has(from_root.as_bstr())? { Some(from_root) } else { None })
}

/// Returns whether a path says itself where it starts.
fn says_where(typed: &BStr) -> bool {
    let first = typed.to_path().ok().and_then(|path| path.components().next());
    !matches!(first, Some(Component::Normal(_)))
}

/// Returns paths from the root as they are typed in the current directory: the reverse of [`path`].
pub(crate) fn as_typed(context: &Context, repo: &Repository, paths: Vec<String>) -> Vec<String> {
    let here = std::path::absolute(context.directory()).map(|here| real_or_same(&here)).unwrap_or_default();
    let inside = repo.work_dir().and_then(|root| here.strip_prefix(real_or_same(root)).ok());
    let parts = inside.into_iter().flat_map(Path::components).map(Component::as_os_str);
    let Some(inside) = parts.map(<[u8]>::from_os_str).collect::<Option<Vec<_>>>() else { return paths };
    if inside.is_empty() {
        return paths;
    }
    paths.into_iter().map(|path| relative(&inside, &path)).collect()
}

/// Returns a path from the root relative to the directory with these parts.
fn relative(inside: &[&[u8]], path: &str) -> String {
    let path = named_path(path);
    let parts: Vec<&[u8]> = path.split_str("/").collect();
    let n_shared = inside.iter().zip(&parts).take_while(|(a, b)| a == b).count().min(parts.len() - 1);
    let up = std::iter::repeat_n(b"..".as_slice(), inside.len() - n_shared);
    let typed = up.chain(parts.into_iter().skip(n_shared)).collect::<Vec<_>>().join(&b'/');
    quoted(typed.as_bstr()).into_owned()
}

/// Returns PATH:SYMBOL or PATH:LINE with its path relative to the root, by the rule of [`file`].
///
/// Both a path and a symbol may contain colons: the first colon after an existing file separates
/// them. If there is no such file, the text is a bare symbol and is returned as it is.
///
/// # Errors
/// If the test fails.
pub(crate) fn symbol(
    context: &Context,
    session: &Session,
    symbol: &str,
    has: &FileTest<'_>,
) -> anyhow::Result<String> {
    for (file, rest) in splits(symbol) {
        if let Some(file) = existing(context, session, file.into(), has)? {
            return Ok(format!("{}:{rest}", quoted(file.as_bstr())));
        }
    }
    Ok(symbol.to_owned())
}

/// Returns pathspecs relative to the root. A pattern that is not UTF-8 is quoted.
///
/// # Errors
/// If a pathspec is outside the repository, as in Git.
pub(crate) fn pathspecs(
    context: &Context,
    session: &Session,
    specs: &[OsString],
) -> anyhow::Result<Vec<String>> {
    // Outside the work tree, pathspecs already are relative to the root.
    let prefix = as_text(path(context, session, BString::default()).unwrap_or_default().as_bstr());
    let absolute = |typed: &str| Some(as_text(path(context, session, as_bytes(typed)).ok()?.as_bstr()));
    let moved = |spec: &OsString| {
        let bytes = <[u8]>::from_os_str(spec).context("Git can't store this path")?;
        let typed = bytes.to_str().map_or_else(|_| bytes.into(), named_path);
        let moved = moved(&prefix, &with_slashes(&as_text(typed.as_bstr())), absolute);
        let moved =
            moved.ok_or_else(|| anyhow::anyhow!("'{}' is outside the repository", self::typed(spec)))?;
        let (magic, pattern) = Pathspec::split_magic(&moved).unwrap_or(("", &moved));
        Ok(format!("{magic}{}", quoted(as_bytes(pattern).as_bstr())))
    };
    specs.iter().map(moved).collect()
}

/// The private character that stands for byte 0 while a pathspec is moved.
const ODD: u32 = 0xef00;

/// Returns bytes as text, in which a private character stands for each byte that is not UTF-8, and
/// for those of such a private character itself.
fn as_text(bytes: &BStr) -> String {
    let mut text = String::with_capacity(bytes.len());
    for part in bytes.utf8_chunks() {
        for c in part.valid().chars() {
            match u32::from(c) {
                // It would be read back as a byte.
                ODD..=0xefff => {
                    let bytes = c.to_string().into_bytes();
                    text.extend(bytes.into_iter().filter_map(|byte| char::from_u32(ODD + u32::from(byte))));
                }
                _ => text.push(c),
            }
        }
        text.extend(part.invalid().iter().filter_map(|byte| char::from_u32(ODD + u32::from(*byte))));
    }
    text
}

/// Returns the bytes of a text of [`as_text`].
fn as_bytes(text: &str) -> BString {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c)
            .checked_sub(ODD)
            .and_then(|byte| u8::try_from(byte).ok())
            .filter(|byte| *byte > 0x7f)
        {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes.into()
}

/// Returns a pathspec with slashes between its names. Git on Windows reads backslashes as slashes.
fn with_slashes(spec: &str) -> std::borrow::Cow<'_, str> {
    if cfg!(windows) { spec.replace('\\', "/").into() } else { spec.into() }
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
    let is_absolute = pattern.starts_with('/') || Path::new(pattern).is_absolute();
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
    fn only_plain_paths_may_start_at_the_root() {
        for (typed, expected) in [
            ("a.py", false),
            ("lib/a.py", false),
            ("lib/../a.py", false),
            (".hidden", false),
            ("./a.py", true),
            ("../a.py", true),
            ("/a.py", true),
            (".", true),
            ("..", true),
            ("", true),
        ] {
            assert_eq!(says_where(typed.into()), expected, "{typed}");
        }
    }

    #[test]
    fn single_colons_separate_a_path() {
        let all = |text| splits(text).collect::<Vec<_>>();
        assert_eq!(all("a.rs:7"), [("a.rs", "7")]);
        assert_eq!(all("a.rs:b::c"), [("a.rs", "b::c")]);
        assert_eq!(all("a.md:Set up: now"), [("a.md", "Set up: now"), ("a.md:Set up", " now")]);
        assert_eq!(all("a::b"), []);
        assert_eq!(all(":b"), []);
        assert_eq!(all("a:"), []);
    }

    #[test]
    fn a_suggested_path_is_found_from_where_it_is_typed() {
        for (inside, path, expected) in [
            (&["lib"][..], "lib/a.py", "a.py"),
            (&["lib"], "src/a.rs", "../src/a.rs"),
            (&["lib", "deep"], "lib/a.py", "../a.py"),
            (&["lib"], "lib", "../lib"),
            (&["lib"], "README.md", "../README.md"),
            (&["lib"], r#""lib/caf\351.py""#, r#""caf\351.py""#),
            (&["caf\u{e9}"], r#""lib/caf\351.py""#, r#""../lib/caf\351.py""#),
        ] {
            let inside: Vec<&[u8]> = inside.iter().map(|part| part.as_bytes()).collect();
            assert_eq!(relative(&inside, path), expected, "{inside:?} {path}");
        }
    }

    #[test]
    #[cfg(windows)]
    fn paths_of_windows_are_read_as_git_reads_them() {
        let root = Path::new(r"C:\work");
        let read = |typed: &str| inside(root, Path::new(r"C:\work\lib"), typed.into()).ok();
        for (typed, expected) in [
            (r"a.py", Some("lib/a.py")),
            (r"deep\a.py", Some("lib/deep/a.py")),
            (r"..\src/a.rs", Some("src/a.rs")),
            (r"C:\work\src\a.rs", Some("src/a.rs")),
            (r"c:/work/src/a.rs", Some("src/a.rs")),
            (r"D:\work\src\a.rs", None),
            (r"..\..\a.rs", None),
        ] {
            assert_eq!(read(typed), expected.map(BString::from), "{typed}");
        }
        let all = |text| splits(text).collect::<Vec<_>>();
        assert_eq!(all(r"C:\work\a.rs:7"), [("C", r"\work\a.rs:7"), (r"C:\work\a.rs", "7")]);
        assert!(says_where(r"C:\work\a.rs".into()) && says_where(r".\a.rs".into()));
        assert!(!says_where(r"lib\a.rs".into()));
        let inside = |typed: &str| Some(typed.strip_prefix("C:/work/")?.to_owned());
        let spec = |spec: &str| moved("lib", &with_slashes(spec), inside);
        assert_eq!(spec(r"deep\*.py").as_deref(), Some(":(,,top)lib/deep/*.py"));
        assert_eq!(spec(r"C:\work\src").as_deref(), Some(":(,literal,top)src"));
        assert_eq!(spec(r"D:\work\src"), None);
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

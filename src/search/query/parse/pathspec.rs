//! Pathspecs: the paths that a filter admits, by Git's rules.
//!
//! Text → [`Pathspec`] → whether a path matches. This is an own matcher rather than a call of Git:
//! it needs only the bytes of paths, and the query stage must not reach a repository. It follows
//! `gitglossary`: a pathspec without wildcards is a file or a directory. With wildcards, it is
//! matched against the whole path, and `*` crosses `/` unless `:(glob)` is given. Matching takes at
//! most the product of both lengths, whatever the pattern.

use bstr::{BStr, BString, ByteSlice};

use crate::base::text::named_path;
use crate::search::query::Error;

/// Longest pathspec, in bytes.
const MAX_BYTES: usize = 4096;

/// A compiled pathspec.
///
/// Magic: `:(exclude)`, `:!` or `:^` (and a leading `!`) exclude. `:(icase)` ignores ASCII case.
/// `:(glob)` keeps `*` and `?` inside a path component and gives `**/` and `/**` their meaning.
/// `:(literal)` disables wildcards. `:(top)` and `:/` change nothing, since paths are always
/// relative to the top. Wildcards: `*`, `?`, `[a-z]`, `[!a]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pathspec {
    exclude: bool,
    ignore_case: bool,
    /// The wildcard pattern; `None` if `literal` is compared instead.
    tokens: Option<Vec<Token>>,
    literal: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Byte(u8),
    /// Any byte; the flag admits `/` too.
    One(bool),
    /// Any number of bytes; the flag admits `/` too.
    Many(bool),
    /// Nothing, or anything up to and including a `/`.
    Directories,
    Class {
        negated: bool,
        ranges: Vec<(u8, u8)>,
    },
}

impl Pathspec {
    /// Compiles a pathspec.
    ///
    /// # Errors
    /// [`Error::Pathspec`] for unknown magic, or if the pattern is longer than 4,096 bytes.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = || Error::Pathspec(text.to_owned());
        let mut spec = Self { exclude: false, ignore_case: false, tokens: None, literal: Vec::new() };
        let (mut glob, mut literal) = (false, false);
        let (magic, mut rest) = Self::split_magic(text).ok_or_else(refuse)?;
        if let Some(long) = magic.strip_prefix(":(") {
            for word in long.trim_end_matches(')').split(',').filter(|w| !w.is_empty()) {
                match word {
                    "exclude" => spec.exclude = true,
                    "icase" => spec.ignore_case = true,
                    "glob" => glob = true,
                    "literal" => literal = true,
                    "top" => {}
                    _ => return Err(refuse()),
                }
            }
        } else {
            let short = magic.strip_prefix(':').unwrap_or(magic);
            spec.exclude =
                short.starts_with(['!', '^']) || short.starts_with("/!") || short.starts_with("/^");
        }
        while let Some(shorter) = rest.strip_prefix("./") {
            rest = shorter;
        }
        if rest.len() > MAX_BYTES {
            return Err(refuse());
        }
        let bytes = pattern_bytes(rest);
        let bytes = if spec.ignore_case { bytes.to_ascii_lowercase() } else { bytes };
        if !literal && bytes.iter().any(|b| matches!(b, b'*' | b'?' | b'[' | b'\\')) {
            spec.tokens = Some(tokens(&bytes, glob));
        }
        spec.literal = bytes;
        Ok(spec)
    }

    /// Splits a pathspec into its magic, including the signs that mark it, and the pattern; `None`
    /// if the magic is not closed.
    pub fn split_magic(text: &str) -> Option<(&str, &str)> {
        let n = if let Some(long) = text.strip_prefix(":(") {
            2 + long.find(')')? + 1
        } else if let Some(short) = text.strip_prefix(':') {
            let pattern = short.trim_start_matches(['!', '^', '/']);
            let pattern = pattern.strip_prefix(':').unwrap_or(pattern);
            text.len() - pattern.len()
        } else {
            usize::from(text.starts_with('!'))
        };
        text.split_at_checked(n)
    }

    /// Returns a pathspec in the words of Git, which reads it in the same way.
    ///
    /// # Errors
    /// As [`Pathspec::parse`].
    pub fn for_git(text: &str) -> Result<BString, Error> {
        let spec = Self::parse(text)?;
        let (magic, mut pattern) = Self::split_magic(text).unwrap_or_default();
        while let Some(shorter) = pattern.strip_prefix("./") {
            pattern = shorter;
        }
        let is_glob =
            magic.trim_start_matches(":(").trim_end_matches(')').split(',').any(|one| one == "glob");
        let mut words = vec!["top"];
        words.extend(spec.exclude.then_some("exclude"));
        words.extend(spec.ignore_case.then_some("icase"));
        // Git refuses both words together.
        words.extend(match spec.tokens {
            None => Some("literal"),
            Some(_) => is_glob.then_some("glob"),
        });
        let mut of_git = BString::from(format!(":({})", words.join(",")));
        of_git.extend_from_slice(&pattern_bytes(pattern));
        Ok(of_git)
    }

    /// Returns whether the pattern ignores the case of ASCII letters.
    pub fn ignores_case(&self) -> bool {
        self.ignore_case
    }

    /// Returns whether the pathspec excludes paths.
    pub fn is_exclusion(&self) -> bool {
        self.exclude
    }

    /// Returns whether the pattern matches the path, no matter if the pathspec includes or excludes
    /// it.
    pub fn fits(&self, path: &BStr) -> bool {
        let lowered;
        let path: &[u8] = if self.ignore_case {
            lowered = path.to_ascii_lowercase();
            &lowered
        } else {
            path.as_bytes()
        };
        // As in Git, a file may have the very name of a pattern (`[id].ts`).
        self.is_literally(path) || self.tokens.as_ref().is_some_and(|tokens| fits(tokens, path))
    }

    /// Returns whether the pattern, without wildcards, is the path or a directory around it.
    fn is_literally(&self, path: &[u8]) -> bool {
        let directory = self.literal.strip_suffix(b"/").unwrap_or(&self.literal);
        directory.is_empty()
            || path.strip_prefix(directory).is_some_and(|rest| {
                rest.first() == Some(&b'/') || (rest.is_empty() && directory.len() == self.literal.len())
            })
    }
}

/// Returns the bytes of a pattern. One that is not UTF-8 is quoted, as paths are printed.
fn pattern_bytes(pattern: &str) -> Vec<u8> {
    named_path(if pattern == "." { "" } else { pattern }).into()
}

/// Returns whether a list of pathspecs admits a path: an inclusion matches, or there is none, and
/// no exclusion matches.
pub fn admits(specs: &[Pathspec], path: &BStr) -> bool {
    let mut included = None;
    for spec in specs {
        match (spec.exclude, spec.fits(path)) {
            (true, true) => return false,
            (false, fits) => included = Some(included.unwrap_or(false) || fits),
            (true, false) => {}
        }
    }
    included.unwrap_or(true)
}

/// Returns the positions of the pathspecs that match no file, in ascending order.
///
/// An inclusion matches if it admits a file that no exclusion excludes. Exclusions need no match.
pub fn strays<'f>(specs: &[Pathspec], files: impl Iterator<Item = &'f BStr>) -> Vec<usize> {
    let mut strays: Vec<(usize, &Pathspec)> =
        specs.iter().enumerate().filter(|(_, spec)| !spec.exclude).collect();
    let excluding: Vec<&Pathspec> = specs.iter().filter(|spec| spec.exclude).collect();
    for path in files {
        if strays.is_empty() {
            break;
        }
        if !excluding.iter().any(|spec| spec.fits(path)) {
            strays.retain(|(_, spec)| !spec.fits(path));
        }
    }
    strays.into_iter().map(|(at, _)| at).collect()
}

fn tokens(mut pattern: &[u8], glob: bool) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at_component = true;
    while let Some((&byte, rest)) = pattern.split_first() {
        let mut next = rest;
        let token = match byte {
            b'*' if glob && at_component && rest.starts_with(b"*/") => {
                next = rest.get(2..).unwrap_or_default();
                Token::Directories
            }
            b'*' if glob && at_component && rest == b"*" => {
                next = &[];
                Token::Many(true)
            }
            b'*' => Token::Many(!glob),
            b'?' => Token::One(!glob),
            b'\\' if !rest.is_empty() => {
                next = rest.get(1..).unwrap_or_default();
                Token::Byte(rest.first().copied().unwrap_or(byte))
            }
            b'[' => match class(rest) {
                Some((token, after)) => {
                    next = after;
                    token
                }
                None => Token::Byte(byte),
            },
            _ => Token::Byte(byte),
        };
        at_component = matches!(token, Token::Byte(b'/') | Token::Directories);
        if !(matches!(token, Token::Many(_)) && tokens.last() == Some(&token)) {
            tokens.push(token);
        }
        pattern = next;
    }
    tokens
}

/// Parses a bracket expression after its `[`, and returns it with the rest; `None` if it is not
/// closed.
fn class(bytes: &[u8]) -> Option<(Token, &[u8])> {
    let negated = matches!(bytes.first(), Some(b'!' | b'^'));
    let mut rest = bytes.get(usize::from(negated)..)?;
    let mut ranges = Vec::new();
    loop {
        let (&low, after) = rest.split_first()?;
        if low == b']' && !ranges.is_empty() {
            return Some((Token::Class { negated, ranges }, after));
        }
        match after {
            [b'-', high, more @ ..] if *high != b']' => {
                ranges.push((low, *high));
                rest = more;
            }
            _ => {
                ranges.push((low, low));
                rest = after;
            }
        }
    }
}

/// Matches a path by tracking the set of reachable positions in the pattern. Backtracking could
/// take exponential time; this takes at most the product of both lengths.
fn fits(tokens: &[Token], path: &[u8]) -> bool {
    let mut here = vec![false; tokens.len() + 1];
    let mut next = here.clone();
    enter(tokens, &mut here, 0, true);
    for &byte in path {
        next.fill(false);
        for (at, token) in tokens.iter().enumerate() {
            if !here.get(at).copied().unwrap_or(false) {
                continue;
            }
            match token {
                Token::Byte(expected) if *expected == byte => enter(tokens, &mut next, at + 1, true),
                Token::One(crosses) if *crosses || byte != b'/' => enter(tokens, &mut next, at + 1, true),
                Token::Many(crosses) if *crosses || byte != b'/' => enter(tokens, &mut next, at, true),
                Token::Directories => {
                    enter(tokens, &mut next, at, false);
                    if byte == b'/' {
                        enter(tokens, &mut next, at + 1, true);
                    }
                }
                Token::Class { negated, ranges }
                    if byte != b'/'
                        && ranges.iter().any(|&(low, high)| (low..=high).contains(&byte)) != *negated =>
                {
                    enter(tokens, &mut next, at + 1, true);
                }
                _ => {}
            }
        }
        std::mem::swap(&mut here, &mut next);
    }
    here.last().copied().unwrap_or(false)
}

/// Marks a position as reached, and those after it that need no input; `fresh` if no directory was
/// begun.
fn enter(tokens: &[Token], places: &mut [bool], at: usize, fresh: bool) {
    let mut at = at;
    loop {
        if let Some(place) = places.get_mut(at) {
            *place = true;
        }
        match tokens.get(at) {
            Some(Token::Many(_)) => at += 1,
            Some(Token::Directories) if fresh => at += 1,
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_git_has_them() {
        for (spec, path, fits) in [
            ("src", "src/a.rs", true),
            ("src/", "src/a.rs", true),
            ("src", "srcs/a.rs", false),
            ("src/a.rs", "src/a.rs", true),
            ("src/a.rs/", "src/a.rs", false),
            (".", "anything", true),
            ("./src", "src/x", true),
            ("*.rs", "src/deep/a.rs", true),
            ("*.rs", "a.rst", false),
            ("src/*.rs", "src/deep/a.rs", true),
            (":(glob)src/*.rs", "src/deep/a.rs", false),
            (":(glob)src/*.rs", "src/a.rs", true),
            (":(glob)src/**/*.rs", "src/a.rs", true),
            (":(glob)src/**/*.rs", "src/deep/er/a.rs", true),
            (":(glob)**/test/x", "test/x", true),
            (":(glob)**/test/x", "atest/x", false),
            (":(glob)src/**", "src/deep/a", true),
            (":(icase)SRC/*.RS", "src/a.rs", true),
            (":(literal)a*", "ab", false),
            ("a[bc]d", "acd", true),
            ("a[!bc]d", "acd", false),
            ("a[b-d]?", "ace", true),
            ("a\\*", "a*", true),
            ("a**b", "axxb", true),
        ] {
            assert_eq!(Pathspec::parse(spec).unwrap().fits(path.into()), fits, "{spec} {path}");
        }
    }

    #[test]
    fn git_reads_a_pathspec_in_its_own_words() {
        for (spec, expected) in [
            ("src", ":(top,literal)src"),
            ("./src/", ":(top,literal)src/"),
            (".", ":(top,literal)"),
            ("*.rs", ":(top)*.rs"),
            (":!vendor", ":(top,exclude,literal)vendor"),
            ("!*.md", ":(top,exclude)*.md"),
            (":/src", ":(top,literal)src"),
            (":(icase,glob)SRC/**", ":(top,icase,glob)SRC/**"),
            (":(glob)src", ":(top,literal)src"),
            (":(literal)a*", ":(top,literal)a*"),
        ] {
            assert_eq!(Pathspec::for_git(spec).unwrap(), expected, "{spec}");
        }
        assert!(Pathspec::for_git(":(attr:x)src").is_err());
    }

    #[test]
    fn strays_match_no_file_that_the_exclusions_leave() {
        for (specs, expected) in [
            (vec![], vec![]),
            (vec!["src"], vec![]),
            (vec!["nowhere"], vec![0]),
            (vec!["src", "nowhere", "*.md"], vec![1]),
            (vec!["src", ":!src"], vec![0]),
            (vec!["src", ":!nowhere"], vec![]),
            (vec![":!nowhere"], vec![]),
            (vec![":!src", "!*.md"], vec![]),
            (vec![":(icase)SRC", "SRC"], vec![1]),
        ] {
            let parsed: Vec<_> = specs.iter().map(|spec| Pathspec::parse(spec).unwrap()).collect();
            let files = ["src/a.rs", "src/b.rs", "README.md"];
            let found = strays(&parsed, files.iter().map(BStr::new));
            assert_eq!(found, expected, "{specs:?}");
        }
        assert_eq!(strays(&[Pathspec::parse("src").unwrap()], std::iter::empty()), [0]);
    }

    #[test]
    fn exclusions_take_away() {
        let specs: Vec<_> =
            ["src", ":!src/gen", "!*.md"].iter().map(|s| Pathspec::parse(s).unwrap()).collect();
        for (path, expected) in
            [("src/a.rs", true), ("src/gen/a.rs", false), ("src/a.md", false), ("b", false)]
        {
            assert_eq!(admits(&specs, path.into()), expected, "{path}");
        }
        assert!(admits(&[Pathspec::parse(":(exclude)x").unwrap()], "y".into()));
        assert!(Pathspec::parse(":(attr:x)y").is_err());
    }
}

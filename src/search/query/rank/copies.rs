//! Near copies among the files of an answer: translations, other versions, variants, twins.
//!
//! Candidates and the highest score of each file → [`Copies`]: which files are left out or come
//! last, because a better file says the same. Paths say which files are translations, because their
//! texts differ. Other copies have the same name, in folders that differ in one part, and nearly
//! the same sub-tokens; or one of them is vendored and they declare the same names. Builds of a
//! program in one folder (`app.mjs`, `app.cjs.js`) count as having the same name.
//!
//! The file that stays is the original: English, the current version, the one outside of vendored
//! code. It takes the place of the best of its copies.

use std::collections::{BTreeSet, HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::recalled::Recalled;
use super::translation;
use crate::base::text::path;
use crate::search::query::QueryKind;
use crate::search::segment::FileView;

/// Number of best files among which copies are looked for, and most files of one name.
const BEST: usize = 96;
const OF_NAME: usize = 12;

/// Least likeness of two files that differ in a version or a number in their path, and in any other
/// part of it.
const VERSION: f64 = 0.5;
const SIBLING: f64 = 0.9;

/// Least share of the names in the smaller of two files that both declare, if one is vendored; and
/// least number of them.
const TWIN: f64 = 0.5;
const TWIN_NAMES: usize = 3;

/// What copies change in the order of files, by their places among the files with candidates.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// Translations of a better file. One language says as much as all, except to an issue.
    pub(super) left_out: HashSet<usize>,
    /// Files of which a better file is nearly a copy.
    pub(super) behind: HashSet<usize>,
    /// By original, how much more the best of its copies scores.
    pub(super) raised: HashMap<usize, f64>,
    /// By original, its copies.
    of_original: HashMap<usize, Vec<usize>>,
}

/// A file that may be a copy.
#[derive(Clone, Copy)]
struct Member<'s> {
    file: FileView<'s>,
    place: usize,
    score: f64,
    /// The lowest is the original.
    rank: u32,
}

/// Pages of one name in several languages: these languages, and the files.
type Pages<'s> = (BTreeSet<Vec<u8>>, Vec<Member<'s>>);

impl Copies {
    /// Finds the copies. `of_files` has the highest score of each file. A query that is limited to
    /// some paths is answered by all files there.
    pub(super) fn of(recalled: &Recalled<'_>, of_files: &[f64]) -> Self {
        let mut found = Self::default();
        if !recalled.parsed.filters.paths.is_empty() || !recalled.query.filters.paths.is_empty() {
            return found;
        }
        if !recalled.parsed.wants_translations {
            found.find_translations(recalled, of_files);
        }
        found.find_near_copies(recalled, of_files);
        found
    }

    fn find_translations(&mut self, recalled: &Recalled<'_>, of_files: &[f64]) {
        let mut texts: HashMap<Vec<u8>, Vec<Member<'_>>> = HashMap::new();
        let mut pages: HashMap<Vec<u8>, Pages<'_>> = HashMap::new();
        for ((place, run), &score) in recalled.candidates.files().iter().enumerate().zip(of_files) {
            let (file, path) = (run.file, run.file.path());
            if is_named(recalled, &file) {
                continue;
            }
            // The texts of a program that fit best may be those in question; a page is best in
            // English, or in the language of the question.
            let member = Member { file, place, score, rank: 0 };
            if let Some(family) = translation::family(path, file.language()) {
                texts.entry(family).or_default().push(member);
            } else if let Some(family) = translation::document_family(path, file.language()) {
                let (languages, members) = pages.entry(family.path).or_default();
                languages.extend(family.language);
                members.push(member);
            }
        }
        let pages = pages
            .into_values()
            .filter(|(languages, members)| members.len() > 1 && translation::are_translations(languages));
        let is_other =
            |one: &Member<'_>| !recalled.parsed.is_foreign && !translation::is_original(one.file.path());
        let ranked = pages.map(|(_, mut members)| {
            members.iter_mut().for_each(|one| one.rank = u32::from(is_other(one)));
            members
        });
        let families = texts.into_values().chain(ranked);
        // A fix of an issue may change several translations.
        let is_issue = recalled.parsed.kind == QueryKind::LongText;
        for family in families.filter(|family| family.len() > 1) {
            let copies = self.keep_original(family);
            if is_issue { self.behind.extend(copies) } else { self.left_out.extend(copies) }
        }
    }

    fn find_near_copies(&mut self, recalled: &Recalled<'_>, of_files: &[f64]) {
        let mut best: Vec<(usize, f64)> = of_files.iter().copied().enumerate().collect();
        best.retain(|one| !self.left_out.contains(&one.0) && one.1 > 0.0);
        if best.len() > BEST {
            best.select_nth_unstable_by(BEST, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            best.truncate(BEST);
        }
        let mut named: HashMap<&[u8], Vec<Member<'_>>> = HashMap::new();
        for (place, score) in best {
            let Some(run) = recalled.candidates.files().get(place) else { continue };
            if !is_named(recalled, &run.file) && !asks_for_version(&recalled.query.text, run.file.path()) {
                let member = Member { file: run.file, place, score, rank: 0 };
                named.entry(shared_name(run.file.path())).or_default().push(member);
            }
        }
        for mut members in named.into_values().filter(|members| members.len() > 1) {
            members.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.path().cmp(b.file.path())));
            members.truncate(OF_NAME);
            for family in families_of(members) {
                let copies = self.keep_original(family);
                self.behind.extend(copies);
            }
        }
    }

    /// Raises the original of a family to the best of its copies, and returns the others.
    fn keep_original(&mut self, family: Vec<Member<'_>>) -> Vec<usize> {
        let most = family.iter().map(|one| one.score).fold(0.0, f64::max);
        let original = family.iter().min_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            a.rank.cmp(&b.rank).then(by_score).then(a.file.path().cmp(b.file.path()))
        });
        let Some(original) = original else { return Vec::new() };
        if most > original.score {
            let raised = self.raised.entry(original.place).or_default();
            *raised = raised.max(most - original.score);
        }
        let copies: Vec<usize> =
            family.iter().map(|one| one.place).filter(|place| *place != original.place).collect();
        self.of_original.entry(original.place).or_default().extend(&copies);
        copies
    }

    /// Returns the file of which another file is a copy.
    pub(super) fn original(&self, copy: usize) -> Option<usize> {
        self.of_original.iter().find(|(_, copies)| copies.contains(&copy)).map(|(&original, _)| original)
    }

    /// Returns the number of candidates in files that are left out.
    pub(super) fn n_left_out(&self, recalled: &Recalled<'_>) -> usize {
        let files = self.left_out.iter().filter_map(|&place| recalled.candidates.files().get(place));
        files.map(|run| run.chunks.len()).sum()
    }

    /// Returns the paths of the copies of a file, in order.
    pub(super) fn paths(&self, recalled: &Recalled<'_>, original: usize) -> Vec<BString> {
        let places = self.of_original.get(&original).into_iter().flatten();
        let files = places.filter_map(|&place| recalled.candidates.files().get(place));
        let mut paths: Vec<BString> = files.map(|run| run.file.path().to_owned()).collect();
        paths.sort();
        paths
    }
}

/// Returns whether the query names a file.
fn is_named(recalled: &Recalled<'_>, file: &FileView<'_>) -> bool {
    recalled.named.contains_key(&(file.part, file.ord))
}

/// Returns the part of a file's name that its copies have, too: all of it, or what the builds of
/// one program for several kinds of modules share (`app` of `app.mjs` and `app.cjs.js`).
fn shared_name(path: &BStr) -> &[u8] {
    const BUILDS: [&str; 8] = [".cjs.js", ".esm.js", ".mjs.js", ".umd.js", ".iife.js", ".mjs", ".cjs", ".js"];
    let name = path::name(path);
    BUILDS.iter().find_map(|end| name.strip_suffix(end.as_bytes())).unwrap_or(name)
}

/// Splits files of one name into families of near copies, each with the ranks of its members.
/// Files without a copy are in none.
fn families_of(members: Vec<Member<'_>>) -> Vec<Vec<Member<'_>>> {
    let mut bags: HashMap<usize, Bag> = HashMap::new();
    let mut families: Vec<Vec<Member<'_>>> = Vec::new();
    for member in members {
        let family =
            families.iter_mut().find(|family| family.iter().any(|known| is_copy(known, &member, &mut bags)));
        match family {
            Some(family) => family.push(member),
            None => families.push(vec![member]),
        }
    }
    families.retain(|family| family.len() > 1);
    for family in &mut families {
        let all: Vec<Originality> = family.iter().map(|one| Originality::of(&one.file)).collect();
        for (member, own) in family.iter_mut().zip(&all) {
            let before = all.iter().filter(|one| *one < own).count();
            member.rank = u32::try_from(before).unwrap_or(u32::MAX);
        }
    }
    families
}

/// What makes a file the original of its copies; the lowest is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Originality {
    is_vendored: bool,
    is_test: bool,
    /// Whether its path has a version, and no word for the current one.
    is_old: bool,
    /// The numbers of the version, negated.
    version: Vec<i64>,
}

impl Originality {
    fn of(file: &FileView<'_>) -> Self {
        let parts: Vec<&[u8]> = path::parent(file.path()).split_str("/").collect();
        let numbers = |part: &[u8]| -> Vec<i64> {
            let digits = part.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
            digits.filter_map(|digits| digits.to_str().ok()?.parse::<i64>().ok()).map(|n| -n).collect()
        };
        let version = parts.iter().rev().find(|part| is_version(part) || has_number(part));
        Self {
            is_vendored: file.is_of_others(),
            is_test: file.flags().is_test(),
            is_old: version.is_some_and(|part| is_version(part) && !is_current(part)),
            version: version.map(|part| numbers(part)).unwrap_or_default(),
        }
    }
}

/// Returns whether a folder is named after a version: `v1.7`, `2.x`, `dev`.
fn is_version(part: &[u8]) -> bool {
    let number = part.strip_prefix(b"v").unwrap_or(part);
    let has_dots = number.contains(&b'.') || number.len() < part.len();
    let is_number = number.first().is_some_and(u8::is_ascii_digit)
        && number.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'x' | b'_' | b'-'));
    is_number && has_dots || is_current(part)
}

/// Returns whether a folder is named after the version in development, or the newest one.
fn is_current(part: &[u8]) -> bool {
    const WORDS: [&str; 9] =
        ["current", "dev", "head", "latest", "main", "master", "next", "nightly", "unreleased"];
    WORDS.iter().any(|word| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Returns whether a folder is a word with a number: `gtk3`.
fn has_number(part: &[u8]) -> bool {
    let word = part.trim_end_with(|c| c.is_ascii_digit() || c == '.');
    word.len() < part.len() && !word.is_empty() && word.iter().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns whether a question names the version in a path.
fn asks_for_version(text: &str, path: &BStr) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || ",?!()".contains(c));
    let parts = || path::parent(path).split_str("/").filter(|part| is_version(part) && !is_current(part));
    words.any(|word| {
        let number = word.trim_start_matches('v').trim_end_matches('.');
        number.contains('.')
            && parts().any(|part| part.strip_prefix(b"v").unwrap_or(part) == number.as_bytes())
    })
}

/// How two paths of the same file name differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difference {
    /// In a version or a number.
    Version,
    /// In one other part.
    Sibling,
}

fn difference(a: &BStr, b: &BStr) -> Option<Difference> {
    if path::parent(a) == path::parent(b) {
        return Some(Difference::Sibling);
    }
    let (mut a, mut b) = (path::parent(a).split_str("/"), path::parent(b).split_str("/"));
    let mut found = None;
    loop {
        match (a.next(), b.next()) {
            (None, None) => return found,
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) if found.is_none() => {
                let word = |part: &[u8]| part.trim_end_with(|c| c.is_ascii_digit() || c == '.').to_vec();
                let is_variant = has_number(a) && has_number(b) && word(a) == word(b);
                let is_version = is_version(a) && is_version(b) || is_variant;
                found = Some(if is_version { Difference::Version } else { Difference::Sibling });
            }
            _ => return None,
        }
    }
}

/// Returns whether two files of one name are near copies.
fn is_copy(a: &Member<'_>, b: &Member<'_>, bags: &mut HashMap<usize, Bag>) -> bool {
    if a.file.is_of_others() != b.file.is_of_others() {
        return are_twins(&a.file, &b.file);
    }
    let least = match difference(a.file.path(), b.file.path()) {
        Some(Difference::Version) => VERSION,
        Some(Difference::Sibling) => SIBLING,
        None => return false,
    };
    // The number of chunks bounds the likeness.
    let sizes = [a, b].map(|one| one.file.segment.chunks_of(one.file.ord).len().max(1));
    if sizes[0] * 4 < sizes[1] || sizes[1] * 4 < sizes[0] {
        return false;
    }
    for one in [a, b] {
        bags.entry(one.place).or_insert_with(|| Bag::of(&one.file));
    }
    match (bags.get(&a.place), bags.get(&b.place)) {
        (Some(a), Some(b)) => a.is_like(b, least),
        _ => false,
    }
}

/// Returns whether two files declare mostly the same names.
fn are_twins(a: &FileView<'_>, b: &FileView<'_>) -> bool {
    let names = |file: &FileView<'_>| -> BTreeSet<String> {
        let names = file.declarations().map(|one| one.name().to_owned());
        names.filter(|name| !name.is_empty()).collect()
    };
    let (a, b) = (names(a), names(b));
    let n_shared = a.intersection(&b).count();
    let smaller = a.len().min(b.len());
    n_shared >= TWIN_NAMES && n_shared as f64 >= TWIN * smaller as f64
}

/// The sub-tokens of a file.
#[derive(Debug, Default)]
struct Bag {
    /// Each with its count, in order.
    counts: Vec<(u16, u32)>,
    total: u32,
}

impl Bag {
    fn of(file: &FileView<'_>) -> Self {
        let mut all: Vec<(u16, u32)> = Vec::new();
        for chunk in file.segment.chunks_of(file.ord) {
            let of_chunk = file.segment.subtokens(chunk).unwrap_or_default();
            all.extend(of_chunk.into_iter().map(|one| (one.number, u32::from(one.places.in_text))));
        }
        // Those of a chunk are in order, which this sort makes use of.
        all.sort_by_key(|(number, _)| *number);
        all.dedup_by(|next, last| {
            let is_same = next.0 == last.0;
            last.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        Self { total: all.iter().map(|(_, count)| count).sum(), counts: all }
    }

    /// Returns whether the share of the occurrences in either file that are in both is at least
    /// `least`, which is more than 0.
    fn is_like(&self, other: &Self, least: f64) -> bool {
        let share = |both: u32| {
            let either = self.total + other.total - both;
            if either == 0 { 0.0 } else { f64::from(both) / f64::from(either) }
        };
        // The sizes already differ for most.
        share(self.total.min(other.total)) >= least && share(self.n_shared(other)) >= least
    }

    fn n_shared(&self, other: &Self) -> u32 {
        let mut others = other.counts.iter().peekable();
        let shared = self.counts.iter().map(|(number, count)| {
            while others.next_if(|one| one.0 < *number).is_some() {}
            others.next_if(|one| one.0 == *number).map_or(0, |one| one.1.min(*count))
        });
        shared.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::{Query, search};
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

    /// Returns the paths of the hits of a question.
    fn paths(files: &[(&str, &str)], text: &str) -> Vec<String> {
        let segment = sources(files);
        let hits = search(&Index::whole(&segment), &Query::new(text)).unwrap().hits;
        let mut paths: Vec<String> = hits.into_iter().map(|hit| hit.path.to_string()).collect();
        paths.dedup();
        paths
    }

    #[test]
    fn a_page_is_shown_in_one_language() {
        let page = "# Local search\n\nEnable local search by the option provider of the theme.\n";
        let files = [
            ("docs/de/search.md", "# Lokale Suche\n\nLocal search local search: Option provider, enable.\n"),
            ("docs/en/search.md", page),
            ("docs/ja/search.md", "# ローカル検索\n\nlocal search を enable, provider.\n"),
            ("src/search.ts", "export function localSearch() {\n  return enable('provider')\n}\n"),
        ];
        let found = paths(&files, "how do I enable local search");
        assert_eq!(found.iter().filter(|path| path.starts_with("docs/")).count(), 1, "{found:?}");
        assert!(found.contains(&"docs/en/search.md".to_owned()), "{found:?}");
        let found = paths(&files, "translations of local search");
        assert_eq!(found.iter().filter(|path| path.starts_with("docs/")).count(), 3, "{found:?}");
    }

    #[test]
    fn one_version_of_a_manual_comes_before_code_and_the_others_after_it() {
        let manual = "# Paths\n\nA path expression is evaluated from left to right, and each step of the path \
                      gives the next value.\n\n# Output\n\nThe output is one value a line, or all in a list.\n";
        let old = manual.replace("each step", "every step");
        let files = [
            ("docs/dev/manual.md", manual),
            ("docs/v1.6/manual.md", old.as_str()),
            ("docs/v1.7/manual.md", manual),
            (
                "src/execute.c",
                "/* Evaluates a path expression. */\nint path_eval(int path) {\n    return path;\n}\n",
            ),
        ];
        let found = paths(&files, "how is a path expression evaluated");
        let at = |path: &str| found.iter().position(|one| one == path);
        assert!(at("src/execute.c") < at("docs/v1.6/manual.md"), "{found:?}");
        assert!(at("docs/dev/manual.md") < at("docs/v1.7/manual.md"), "{found:?}");
        assert!(at("src/execute.c") < at("docs/v1.7/manual.md"), "{found:?}");
        let found = paths(&files, "how is a path expression evaluated in v1.6");
        let at = |path: &str| found.iter().position(|one| one == path);
        assert!(at("docs/v1.6/manual.md") < at("docs/v1.7/manual.md"), "{found:?}");
    }

    #[test]
    fn the_vendored_twin_of_a_file_comes_last() {
        let code = "int dict_add(int d) {\n    return d;\n}\n\nint dict_find(int d) {\n    return d + 1;\n}\n\n\
                    int dict_free(int d) {\n    return 0;\n}\n";
        let more = format!("{code}\nint dict_scan(int d) {{\n    return dict_find(d);\n}}\n");
        let other = "int user(int d) {\n    return dict_add(d) + dict_find(d);\n}\n";
        let files = [("deps/client/dict.c", code), ("src/dict.c", more.as_str()), ("src/user.c", other)];
        let found = paths(&files, "where is an entry of the dict added and found");
        assert_eq!(found.last().map(String::as_str), Some("deps/client/dict.c"), "{found:?}");
    }

    #[test]
    fn one_build_of_a_program_comes_before_the_code_and_the_others_after_it() {
        let code = "var closure = (value) => {\n  return value\n}\n\nvar socket = class {\n  connect(value) {\n    return \
                    closure(value)\n  }\n}\n";
        let other = "export function user(socket) {\n  return socket.connect(1)\n}\n";
        let files = [
            ("static/app.cjs.js", code),
            ("static/app.js", code),
            ("static/app.mjs", code),
            ("src/user.js", other),
        ];
        let found = paths(&files, "where does a socket connect");
        let at = found.iter().position(|path| path == "src/user.js");
        let n_before = found.iter().take(at.unwrap()).filter(|path| path.starts_with("static/")).count();
        assert!(n_before <= 1, "{found:?}");
        assert_eq!(shared_name("a/app.umd.js".into()), b"app");
        assert_eq!(shared_name("a/app.min.css".into()), b"app.min.css");
    }

    #[test]
    fn paths_differ_in_a_version_or_in_one_part() {
        for (a, b, expected) in [
            ("docs/dev/manual.yml", "docs/v1.7/manual.yml", Some(Difference::Version)),
            ("ui/gtk3/a.ui", "ui/gtk4/a.ui", Some(Difference::Version)),
            ("api/v1/types.go", "api/v2/types.go", Some(Difference::Version)),
            ("aws/mod.rs", "gcp/mod.rs", Some(Difference::Sibling)),
            ("static/app.js", "static/app.mjs", Some(Difference::Sibling)),
            ("aws/x/mod.rs", "gcp/y/mod.rs", None),
            ("aws/mod.rs", "aws/in/mod.rs", None),
        ] {
            assert_eq!(difference(a.into(), b.into()), expected, "{a} {b}");
        }
        assert!(asks_for_version("what does 1.6 do?", "docs/v1.6/manual.yml".into()));
        assert!(!asks_for_version("what does 1.6 do?", "docs/v1.7/manual.yml".into()));
        assert!(!asks_for_version("what does it do", "docs/v1.7/manual.yml".into()));
    }

    #[test]
    fn files_of_one_name_with_other_contents_are_no_copies() {
        let a =
            "def read(stream):\n    \"\"\"Reads records of a stream.\"\"\"\n    return stream.records()\n";
        let b = "def write(socket):\n    \"\"\"Writes records to a socket.\"\"\"\n    socket.send(1)\n";
        let found = paths(&[("aws/io.py", a), ("gcp/io.py", b)], "where are records read or written");
        assert_eq!(found.len(), 2);
        assert!(difference("aws/io.py".into(), "gcp/io.py".into()).is_some());
    }
}

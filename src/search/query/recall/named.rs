//! Files that a query names by their paths, and the lines it names in them.
//!
//! [`NamedPath`]s of the text → live files of the index, each with a strength and chunks. Paths are
//! compared from their ends, as a stack trace shows those of another machine. Nothing is read from
//! disk; a path that matches no file is ignored.

use std::collections::{BTreeMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use crate::base::text::identifier::each_part;
use crate::base::text::path;
use crate::index::chunk::Span;
use crate::search::segment::{DeclarationRow, Index, Part, Segment};

use super::symbols::{self, LiveDeclaration};
use crate::search::graph::is_function;
use crate::search::query::parse::paths::NamedPath;
use crate::search::query::weights;
use crate::search::segment::terms::symbol_key;

/// The match of a file with the paths in a query.
#[derive(Debug, Clone, Default)]
pub(in crate::search::query) struct NamedFile {
    /// How well the query names the file, above 0 and up to 1.
    pub(in crate::search::query) strength: f64,
    /// The named lines: those of inner frames first, then by line.
    pub(in crate::search::query) lines: Vec<NamedLine>,
}

/// A line that a query names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::search::query) struct NamedLine {
    /// The line, 1-based.
    pub(in crate::search::query) line: u32,
    pub(in crate::search::query) chunk: u32,
    /// In a stack trace, the number of frames between this one and where it stopped; else 0.
    pub(in crate::search::query) depth: usize,
    /// How well the query names it, above 0 and up to 1.
    pub(in crate::search::query) strength: f64,
}

impl NamedFile {
    /// Returns the named lines in a chunk, in order.
    pub(in crate::search::query) fn lines_of(&self, chunk: u32) -> impl Iterator<Item = NamedLine> {
        self.lines.iter().copied().filter(move |one| one.chunk == chunk)
    }

    /// Adds the place that a path names, if it is known.
    fn add(&mut self, named: &NamedPath, strength: f64, place: Option<(u32, u32)>) {
        let (depth, strength) = (named.depth, strength * weights::of_depth(named.depth));
        self.strength = self.strength.max(strength);
        self.lines.extend(place.map(|(line, chunk)| NamedLine { line, chunk, depth, strength }));
    }
}

/// A file whose path agrees with a named one.
struct PathMatch<'s> {
    part: Part,
    ord: u32,
    segment: &'s Segment,
    strength: f64,
    /// Whether the file is the source that the named one was compiled from.
    is_source: bool,
}

/// Returns the live files that the query names. A file matches a path if:
///
/// - both are the same, or one is the end of the other;
/// - both end in the same file in the same folder, as with an installed package
///   (`site-packages/pkg/a.py`, `src/pkg/a.py`);
/// - the path is from a stack frame, and the file has the same name and declares the frame's
///   function (as the source of a bundle does);
/// - the path is from a stack frame of JavaScript, and the file in TypeScript has the same stem and
///   declares the frame's function. The frame's line is one of the compiled file, so it is ignored.
///
/// A frame without a file matches the functions of its name, unless there are many. So does one
/// whose path agrees with no file, such as that of a bundle, if its name is distinctive; see
/// [`is_distinctive`].
///
/// If several files match a path, those that agree in the most components count. In a stack trace,
/// the files of inner frames are a little stronger.
pub(in crate::search::query) fn named_files(
    index: &Index<'_>,
    paths: &[NamedPath],
) -> BTreeMap<(Part, u32), NamedFile> {
    let mut files: BTreeMap<(Part, u32), NamedFile> = BTreeMap::new();
    if paths.is_empty() {
        return files;
    }
    let mut by_name: BTreeMap<BString, Vec<(usize, bool)>> = BTreeMap::new();
    for (at, path) in paths.iter().enumerate() {
        let name = path::name(path.path.as_bytes().as_bstr());
        by_name.entry(name.to_owned()).or_default().push((at, false));
        for source in source_names(name).filter(|_| path.function.is_some()) {
            by_name.entry(source).or_default().push((at, true));
        }
    }
    // By path, the largest number of components in which a file agrees with it, and the files that
    // do. A file with the very name is closer than the source that it was compiled from.
    let mut best: Vec<_> = paths.iter().map(|_| ((0, false), Vec::<PathMatch<'_>>::new())).collect();
    for (part, segment) in index.segments() {
        for (ord, row) in (0u32..).zip(segment.file_rows()) {
            let path = segment.path(&row);
            for &(at, is_source) in by_name.get(path::name(path)).into_iter().flatten() {
                let (Some(named), Some((most, files))) = (paths.get(at), best.get_mut(at)) else { continue };
                let (n, strength) = agreement_of(path, named, is_source);
                let agrees = (n, !is_source);
                if agrees < *most || !index.is_live(part, ord) {
                    continue;
                }
                let needs_function = is_source || strength == 0.0;
                if needs_function && !declares(segment, ord, named) {
                    continue;
                }
                let strength = if strength == 0.0 { weights::SAME_NAME } else { strength };
                if agrees > *most {
                    *most = agrees;
                    files.clear();
                }
                files.push(PathMatch { part, ord, segment, strength, is_source });
            }
        }
    }
    for (named, (_, agreeing)) in paths.iter().zip(best) {
        // A frame of another version may name a function that is in another file now.
        let line_in = |one: &PathMatch<'_>| named.line.filter(|_| !one.is_source);
        let stale: Vec<bool> =
            agreeing.iter().map(|one| is_stale(one.segment, one.ord, line_in(one), named)).collect();
        let is_nowhere = !agreeing.is_empty() && stale.iter().all(|&is_stale| is_stale);
        let function = named.function.as_deref().filter(|_| is_nowhere);
        let moved = function.map(|function| functions(index, function)).unwrap_or_default();
        let has_moved = moved.iter().any(|one| is_distinctive(named, one.is_of_type));
        for (one, is_stale) in agreeing.iter().zip(stale) {
            let &PathMatch { part, ord, segment, strength, .. } = one;
            let place = line_of(segment, ord, line_in(one), named.function.as_deref());
            let place = if is_stale { similar(segment, ord, named).or(place) } else { place };
            let strength = if is_stale { strength * weights::STALE } else { strength };
            files.entry((part, ord)).or_default().add(named, strength, place.filter(|_| !has_moved));
        }
        let is_elsewhere = has_moved || agreeing.is_empty() && !named.path.is_empty();
        let bare = named.function.as_deref().filter(|_| named.path.is_empty() || is_elsewhere);
        let mut functions = match bare {
            Some(_) if has_moved => moved,
            Some(function) => functions(index, function),
            None => Vec::new(),
        };
        functions.retain(|one| !is_elsewhere || is_distinctive(named, one.is_of_type));
        let strength = if is_elsewhere { weights::OTHER_FILE } else { 1.0 };
        for Function { part, file, place, .. } in functions {
            files.entry((part, file)).or_default().add(named, strength, Some(place));
        }
    }
    for named in files.values_mut() {
        named.lines.sort_by_key(|one| (one.depth, one.line, one.chunk));
        let mut seen = HashSet::new();
        named.lines.retain(|one| seen.insert((one.line, one.chunk)));
    }
    files
}

/// Returns the names that the source of a compiled file may have: `a.ts` for `a.js`.
fn source_names(name: &BStr) -> impl Iterator<Item = BString> {
    const COMPILED: [&[u8]; 4] = [b"js", b"mjs", b"cjs", b"jsx"];
    const SOURCES: [&str; 4] = ["ts", "tsx", "mts", "cts"];
    let stem =
        name.rsplit_once_str(".").filter(|(_, ending)| COMPILED.contains(ending)).map(|(stem, _)| stem);
    stem.into_iter().flat_map(|stem| SOURCES.map(|ending| [stem, b".", ending.as_bytes()].concat().into()))
}

/// Most functions of one name that a frame without a file stands for.
const MOST_OF_NAME: usize = 4;

/// A function that a frame without a file names.
struct Function {
    part: Part,
    file: u32,
    /// Its line and its chunk.
    place: (u32, u32),
    /// Whether it is in the type that the frame names.
    is_of_type: bool,
}

/// Fewest letters of a distinctive name of one word.
const DISTINCTIVE: usize = 10;

/// Returns whether a frame hardly means another function of its name: it names the function's
/// type, or its name is made of several words. `next` and `run` are functions of many programs.
fn is_distinctive(named: &NamedPath, is_of_type: bool) -> bool {
    let name = named.function.as_deref().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or(name);
    let mut n_words = 0;
    each_part(name, |_| n_words += 1);
    is_of_type || n_words > 1 || name.len() >= DISTINCTIVE
}

/// Returns the live functions that a frame without a file names; none if there are more than
/// [`MOST_OF_NAME`].
fn functions(index: &Index<'_>, function: &str) -> Vec<Function> {
    let (qualifier, name) = function.rsplit_once('.').unwrap_or(("", function));
    let mut found = Vec::new();
    for LiveDeclaration { part, ord, row } in symbols::named(index, &symbol_key(name)).unwrap_or_default() {
        let Some(segment) = index.segment(part) else { continue };
        let is_meant = segment.name(&row) == name && is_function(row.kind);
        let Some(file) = segment.chunk(row.chunk).map(|chunk| chunk.file) else { continue };
        let place = chunk_of_line(segment, file, row.name_line).map(|chunk| (row.name_line, chunk));
        if let Some(place) = place.filter(|_| is_meant) {
            let is_of_type = !qualifier.is_empty()
                && segment.symbol_path(ord).rsplit(['.', ':']).nth(1) == Some(qualifier);
            // A declaration alone (a prototype) has no body.
            let has_body = !row.body.is_empty();
            found.push((is_of_type, has_body, Function { part, file, place, is_of_type }));
        }
    }
    let best = found.iter().map(|&(is_of_type, has_body, _)| (is_of_type, has_body)).max();
    found.retain(|&(is_of_type, has_body, _)| Some((is_of_type, has_body)) == best);
    if found.len() > MOST_OF_NAME { Vec::new() } else { found.into_iter().map(|(.., one)| one).collect() }
}

/// Returns the line of a file that a path names, with its chunk; if it names no line, that of the
/// function.
///
/// A stack trace is often from another version of the file, so the function in a frame takes
/// precedence over the line. If the line is not in a function of that name, the name of the nearest
/// such function is used instead. Functions inside the frame's type come first.
fn line_of(segment: &Segment, file: u32, line: Option<u32>, function: Option<&str>) -> Option<(u32, u32)> {
    let distance = |span: Span| {
        line.map_or(0, |line| span.start_line.saturating_sub(line).max(line.saturating_sub(span.end_line)))
    };
    let function = function.and_then(|function| {
        let (qualifier, name) = function.rsplit_once('.').unwrap_or(("", function));
        let is_elsewhere = |ord: u32| {
            let path = segment.symbol_path(ord);
            let around = path.rsplit(['.', ':']).filter(|part| !part.is_empty()).nth(1);
            !qualifier.is_empty() && around != Some(qualifier)
        };
        let of_name = called(segment, file, name);
        of_name.map(|(ord, row)| ((is_elsewhere(ord), distance(row.span)), row)).min_by_key(|(key, _)| *key)
    });
    let function = function.map(|(_, row)| row);
    let line = match line {
        Some(line) => function.filter(|row| distance(row.span) > 0).map_or(line, |row| row.name_line),
        None => function?.name_line,
    };
    let chunk = chunk_of_line(segment, file, line).filter(|&chunk| has_line(segment, chunk, line))?;
    Some((line, chunk))
}

/// Returns whether a frame is certainly of another version of the file: the file does not declare
/// its function, and its line is in another function or behind the end. Other lines may be in a
/// function that has no declaration, such as a handler.
fn is_stale(segment: &Segment, file: u32, line: Option<u32>, named: &NamedPath) -> bool {
    let Some(line) = line.filter(|_| named.function.is_some()) else { return false };
    let is_in_code = || segment.chunks_of(file).any(|chunk| has_line(segment, chunk, line));
    !declares(segment, file, named) && (!is_in_code() || is_in_function(segment, file, line))
}

/// Returns whether a line of a file is in a function.
fn is_in_function(segment: &Segment, file: u32, line: u32) -> bool {
    let mut all = segment.declarations_of(file).filter_map(|ord| segment.declaration(ord));
    all.any(|row| is_function(row.kind) && (row.span.start_line..=row.span.end_line).contains(&line))
}

/// Returns the function of a file whose name is most like that of a frame of another version: one
/// of both names has all words of the other. Of several, the nearest to the line.
fn similar(segment: &Segment, file: u32, named: &NamedPath) -> Option<(u32, u32)> {
    let words = |name: &str| {
        let mut words = Vec::new();
        each_part(name, |part| words.extend(Some(part.to_lowercase()).filter(|part| part != "_")));
        words
    };
    let (name, line) = (named.function.as_deref()?, named.line?);
    let asked = words(name.rsplit('.').next().unwrap_or(name));
    let is_similar = |row: &DeclarationRow| {
        let of_row = words(segment.name(row));
        let (few, many) = if asked.len() < of_row.len() { (&asked, &of_row) } else { (&of_row, &asked) };
        few.len() >= ALIKE && few.iter().all(|word| many.contains(word))
    };
    let all = segment.declarations_of(file).filter_map(|ord| segment.declaration(ord));
    let alike = all.filter(|row| is_function(row.kind) && is_similar(row));
    let distance = |span: Span| span.start_line.saturating_sub(line).max(line.saturating_sub(span.end_line));
    let row = alike.min_by_key(|row| distance(row.span))?;
    let line = if distance(row.span) == 0 { line } else { row.name_line };
    let chunk = chunk_of_line(segment, file, line).filter(|&chunk| has_line(segment, chunk, line))?;
    Some((line, chunk))
}

/// Fewest words that the names of a renamed function share.
const ALIKE: usize = 2;

/// Returns whether a file declares the function that the frame of a path names.
fn declares(segment: &Segment, file: u32, named: &NamedPath) -> bool {
    named.function.as_deref().is_some_and(|function| {
        let name = function.rsplit('.').next().unwrap_or(function);
        called(segment, file, name).next().is_some()
    })
}

/// Returns the declarations of a file with exactly this name, each with its ordinal.
fn called(segment: &Segment, file: u32, name: &str) -> impl Iterator<Item = (u32, DeclarationRow)> {
    let all = segment.declarations_of(file).filter_map(|ord| Some((ord, segment.declaration(ord)?)));
    all.filter(move |(_, row)| segment.name(row) == name)
}

/// Returns how a path agrees with a named one, as [`agreement`] does. The folders of a package
/// count if they agree. Otherwise they are ignored, since not all languages lay out files so.
fn agreement_of(path: &BStr, named: &NamedPath, is_source: bool) -> (usize, f64) {
    if !named.package.is_empty() {
        let whole = format!("{}/{}", named.package, named.path);
        let (n, strength) = agreement(path, whole.as_bytes().as_bstr(), is_source);
        if strength > 0.0 {
            return (n, strength);
        }
    }
    agreement(path, named.path.as_bytes().as_bstr(), is_source)
}

/// Returns in how many last components a path agrees with a named one, and how well it is named by
/// them; 0 means not at all. The names of the files agree if one is the source of the other.
fn agreement(path: &BStr, named: &BStr, is_source: bool) -> (usize, f64) {
    let components = |path: &BStr| path.split(|&b| b == b'/').count();
    let pairs = path.rsplit(|&b| b == b'/').zip(named.rsplit(|&b| b == b'/'));
    let n = pairs.enumerate().take_while(|(at, (a, b))| a == b || *at == 0 && is_source).count();
    let strength = match (n, components(path), components(named)) {
        // Any folder may have a file of that name.
        (1, 2.., 1) => weights::BARE_NAME,
        (n, of_path, of_named) if n == of_path.min(of_named) => 1.0,
        (2.., ..) => weights::SAME_FOLDER,
        _ => 0.0,
    };
    (n, strength)
}

/// Returns the chunk of a file that contains a line, or the first chunk.
pub(in crate::search::query) fn chunk_of_line(segment: &Segment, file: u32, line: u32) -> Option<u32> {
    let mut chunks = segment.chunks_of(file);
    chunks.clone().find(|&chunk| has_line(segment, chunk, line)).or_else(|| chunks.next())
}

fn has_line(segment: &Segment, chunk: u32, line: u32) -> bool {
    segment.chunk(chunk).is_some_and(|row| (row.span.start_line..=row.span.end_line).contains(&line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::segment::samples;

    #[test]
    fn paths_agree_from_their_ends() {
        for (path, named, expected) in [
            ("src/a.rs", "src/a.rs", (2, 1.0)),
            ("src/a.rs", "home/me/x/src/a.rs", (2, 1.0)),
            ("x/src/a.rs", "src/a.rs", (2, 1.0)),
            ("a.rs", "home/a.rs", (1, 1.0)),
            ("x/a.rs", "a.rs", (1, 0.5)),
            ("src/pkg/a.py", "lib/site-packages/pkg/a.py", (2, 0.8)),
            ("src/pkg/a.py", "lib/other/a.py", (1, 0.0)),
            ("xa.rs", "a.rs", (0, 0.0)),
        ] {
            assert_eq!(agreement(path.into(), named.into(), false), expected, "{path} {named}");
        }
        let source = agreement("src/assoc/a.ts".into(), "app/lib/assoc/a.js".into(), true);
        assert_eq!(source, (2, 0.8));
    }

    #[test]
    fn a_frame_finds_the_file_that_declares_its_function() {
        let segment = samples::segment(&[
            samples::file("lib/client.py", &[("other", "", "x")]),
            samples::file("src/client.py", &[("fetch_page", "", "x"), ("close", "", "x")]),
        ]);
        let index = Index::whole(&segment);
        let named = |path: &str, function: Option<&str>| -> Vec<(f64, Vec<(u32, u32)>)> {
            let function = function.map(str::to_owned);
            let path = NamedPath { path: path.to_owned(), function, ..NamedPath::default() };
            let files = named_files(&index, &[path]).into_values();
            files
                .map(|one| (one.strength, one.lines.iter().map(|at| (at.line, at.chunk)).collect()))
                .collect()
        };
        assert_eq!(named("dist/client.py", Some("close")), [(0.5, vec![(11, 2)])]);
        assert_eq!(named("dist/client.py", Some("gone")), []);
        // A bundle has another name, and code may have moved.
        assert_eq!(named("dist/chunk-1a2b.js", Some("fetch_page")), [(weights::OTHER_FILE, vec![(1, 1)])]);
        assert_eq!(named("dist/chunk-1a2b.js", Some("close")), [], "many programs have one");
        assert_eq!(named("dist/client.py", None), []);
        assert_eq!(named("src/client.py", Some("close")), [(1.0, vec![(11, 2)])]);
        assert_eq!(named("client.py", None).len(), 2, "any folder may have one");
        assert_eq!(named("", Some("close")), [(1.0, vec![(11, 2)])], "a frame may have no file");
        assert_eq!(named("", Some("gone")), []);
    }

    #[test]
    fn a_frame_of_another_version_finds_what_its_function_is_now() {
        let segment = samples::segment(&[
            samples::file("lib/cookie.c", &[("cookie_sort", "", "x"), ("cookie_load_all", "", "x")]),
            samples::file("lib/http.c", &[("auth_digest", "", "x"), ("send_all", "", "x")]),
        ]);
        let index = Index::whole(&segment);
        let named = |frame: &str| -> Vec<(u32, f64, Vec<u32>)> {
            let parsed = crate::search::query::parse::parser::parse(&format!("Error: gone\n{frame}\n"));
            let files = named_files(&index, &parsed.paths).into_iter();
            let lines = |file: &NamedFile| file.lines.iter().map(|one| one.line).collect::<Vec<_>>();
            files
                .map(|((_, ord), one)| (ord, one.strength, lines(&one)))
                .filter(|one| !one.2.is_empty())
                .collect()
        };
        let stale = weights::STALE;
        // It was moved to another file.
        assert_eq!(named("#0 0x1 in cookie_sort lib/http.c:1"), [(0, weights::OTHER_FILE, vec![1])]);
        // It was renamed.
        assert_eq!(named("#0 0x1 in cookie_load lib/cookie.c:1"), [(0, stale, vec![11])]);
        // It is gone.
        assert_eq!(named("#0 0x1 in parse_date lib/http.c:11"), [(1, stale, vec![11])]);
        assert_eq!(named("#0 0x1 in send_all lib/http.c:1"), [(1, 1.0, vec![11])], "only its line is old");
    }

    #[test]
    fn a_frame_of_the_jvm_names_the_folder_of_its_package() {
        let segment = samples::segment(&[
            samples::file("clients/src/main/java/org/acme/data/Struct.java", &[("validate", "", "x")]),
            samples::file("connect/src/main/java/org/acme/connect/Struct.java", &[("validate", "", "x")]),
            samples::file("tools/Pump.java", &[("run", "", "x")]),
        ]);
        let index = Index::whole(&segment);
        let named = |line: &str| -> Vec<(u32, f64)> {
            let parsed = crate::search::query::parse::parser::parse(&format!("Error: gone\n{line}\n"));
            let files = named_files(&index, &parsed.paths).into_iter();
            files.map(|((_, ord), one)| (ord, one.strength)).collect()
        };
        assert_eq!(named("\tat org.acme.connect.Struct.validate(Struct.java:1)"), [(1, 1.0)]);
        assert_eq!(named("\tat org.acme.data.Struct.validate(Struct.java:1)"), [(0, 1.0)]);
        assert_eq!(named("\tat org.acme.tools.Pump.run(Pump.java:1)"), [(2, 1.0)]);
        assert_eq!(named("\tat org.other.Pump.run(Pump.java:1)"), [(2, 0.5)], "a folder may be missing");
    }

    #[test]
    fn a_frame_without_a_file_names_at_most_four_functions() {
        for (n, n_found) in [(3, 3), (4, 4), (5, 0)] {
            let files: Vec<_> =
                (0..n).map(|at| samples::file(&format!("src/{at}.py"), &[("close", "", "x")])).collect();
            let segment = samples::segment(&files);
            let function = Some("close".to_owned());
            let frame = NamedPath { function, ..NamedPath::default() };
            assert_eq!(named_files(&Index::whole(&segment), &[frame]).len(), n_found, "{n}");
        }
    }

    #[test]
    fn a_frame_of_a_compiled_file_finds_its_source() {
        let segment = samples::segment(&[
            samples::file("lib/view/page.js", &[("render", "", "x")]),
            samples::file("src/assoc/has-many.ts", &[("count", "", "x"), ("get", "", "x")]),
            samples::file("src/view/has-many.d.ts", &[("get", "", "x")]),
            samples::file("src/view/page.tsx", &[("render", "", "x")]),
        ]);
        let index = Index::whole(&segment);
        let named = |frame: &str| -> Vec<(String, Vec<u32>)> {
            let parsed = crate::search::query::parse::parser::parse(&format!("Error: gone\n{frame}\n"));
            let files = named_files(&index, &parsed.paths).into_iter();
            let path = |ord| segment.path(&segment.file_rows().nth(ord as usize).unwrap()).to_string();
            files.map(|((_, ord), one)| (path(ord), one.lines.iter().map(|at| at.line).collect())).collect()
        };
        let source = |path: &str, line| vec![(path.to_owned(), vec![line])];
        // The line of the compiled file says nothing.
        let frame = "    at HasMany.get (/app/node_modules/@x/core/lib/assoc/has-many.js:1:20)";
        assert_eq!(named(frame), source("src/assoc/has-many.ts", 11));
        let frame = "    at HasMany.get (/app/dist/has-many.cjs:180:20)";
        assert_eq!(named(frame), source("src/assoc/has-many.ts", 11));
        assert_eq!(named("    at HasMany.gone (/app/lib/assoc/has-many.js:1:20)"), []);
        assert_eq!(named("    at /app/lib/assoc/has-many.js:1:20"), [], "no function");
        // If the compiled file itself is in the repository, the frame names that.
        assert_eq!(named("    at render (/app/lib/view/page.js:1:20)"), source("lib/view/page.js", 1));
        assert_eq!(named("    at render (/app/out/view/page.mjs:9:20)"), source("src/view/page.tsx", 1));
    }

    #[test]
    fn lines_of_inner_frames_come_first() {
        let segment = samples::segment(&[samples::file(
            "Conn.java",
            &[("doIO", "", "x"), ("readPayload", "", "x"), ("readRequest", "", "x")],
        )]);
        let index = Index::whole(&segment);
        let lines = |text: &str| -> Vec<(u32, usize)> {
            let parsed = crate::search::query::parse::parser::parse(text);
            let files = named_files(&index, &parsed.paths);
            files.into_values().flat_map(|one| one.lines).map(|one| (one.line, one.depth)).collect()
        };
        let trace = "java.lang.NullPointerException\n\tat p.Conn.readRequest(Conn.java:21)\n\t\
                     at p.Conn.readPayload(Conn.java:11)\n\tat p.Conn.doIO(Conn.java:1)\n\t\
                     at p.Conn.readRequest(Conn.java:21)\n";
        assert_eq!(lines(trace), [(21, 0), (11, 1), (1, 2)]);
    }

    #[test]
    fn inner_frames_are_stronger() {
        let segment = samples::segment(&[
            samples::file("a.c", &[("outer_loop", "", "x")]),
            samples::file("b.c", &[("inner_step", "", "x")]),
        ]);
        let index = Index::whole(&segment);
        let order = |text: &str| -> Vec<u32> {
            let parsed = crate::search::query::parse::parser::parse(text);
            let files = named_files(&index, &parsed.paths);
            let mut order: Vec<_> = files.iter().map(|((_, ord), file)| (file.strength, *ord)).collect();
            order.sort_by(|a, b| b.0.total_cmp(&a.0));
            order.into_iter().map(|(_, ord)| ord).collect()
        };
        assert_eq!(order("inner_step+0x1/0x2\nouter_loop+0x3/0x4\n"), [1, 0]);
        assert_eq!(order("outer_loop+0x3/0x4\ninner_step+0x1/0x2\n"), [0, 1]);
        let last = "Traceback (most recent call last):\n  File \"a.c\", line 1, in outer_loop\n  File \"b.c\", line 1, in inner_step\n";
        assert_eq!(order(last), [1, 0]);
    }
}

//! The factors of the ranking: everything that multiplies the score of a chunk.
//!
//! File or chunk → a factor for each kind of code that fewer queries ask for; 1 if it is not of
//! that kind or if the query asks for it. [`FACTORS`] is the only list of them. Those of a file are
//! the same for all its chunks.

use bstr::{BStr, ByteSlice};

use crate::base::text::path;
use crate::index::chunk::{ChunkKind, DeclarationKind, is_settings};
use crate::search::graph::is_function;
use crate::search::segment::terms::each_term;
use crate::search::segment::{ChunkRow, FileView};

use super::is_prose;
use super::recalled::Recalled;
use super::translation;
use crate::search::query::QueryKind;
use crate::search::query::parse::language;
use crate::search::query::parse::parser::ParsedQuery;

/// Something that multiplies the score of a chunk.
struct Factor {
    /// The name, for people to read.
    name: &'static str,
    source: FactorSource,
}

/// The function that returns the value of a factor.
enum FactorSource {
    /// It is the same for all chunks of a file.
    File(fn(&Recalled<'_>, &FileView<'_>) -> f64),
    /// It differs between the chunks of a file.
    Chunk(fn(&Recalled<'_>, &FileView<'_>, &ChunkRow) -> f64),
}

/// All factors. They are multiplied in this order.
const FACTORS: [Factor; 16] = [
    Factor {
        name: "test",
        source: FactorSource::File(|all, file| {
            let is_test = file.flags().is_test() && !is_asked_about_project(all, file);
            all.weights.test.when(is_test && !all.parsed.wants_tests)
        }),
    },
    Factor {
        name: "example",
        source: FactorSource::File(|all, file| {
            all.weights.example.when(file.flags().is_example() && !all.parsed.wants_examples)
        }),
    },
    Factor {
        name: "vendored",
        source: FactorSource::File(|all, file| all.weights.vendored.when(file.flags().is_vendored())),
    },
    Factor {
        name: "prose",
        source: FactorSource::File(|all, file| {
            let reads = reads_as_prose(all.parsed.kind, file) || is_changelog(&all.parsed, file);
            let is_asked = || all.parsed.wants_prose || is_asked_manual(all, file) || is_guide(all, file);
            all.weights.prose.when(reads && !is_asked())
        }),
    },
    Factor {
        name: "manual",
        source: FactorSource::File(|all, file| {
            all.weights.manual.when(is_asked_manual(all, file) || is_asked_about_project(all, file))
        }),
    },
    Factor {
        name: "not in the requested language",
        source: FactorSource::File(|all, file| {
            all.weights.other_language.when(is_other(&all.parsed, file.language()))
        }),
    },
    Factor {
        name: "typings",
        source: FactorSource::File(|all, file| all.weights.typings.when(has_typings(file.path()))),
    },
    Factor {
        name: "settings or data",
        source: FactorSource::File(|all, file| {
            all.weights.settings.when(is_settings(file.language()) && !is_named(all, file))
        }),
    },
    Factor {
        name: "drawing",
        source: FactorSource::File(|all, file| all.weights.prose.when(is_drawing(&all.parsed, file.path()))),
    },
    Factor {
        name: "patch",
        source: FactorSource::File(|all, file| all.weights.prose.when(is_patch(&all.parsed, file.path()))),
    },
    Factor {
        name: "translation",
        source: FactorSource::File(|all, file| {
            let is_one = || translation::family(file.path(), file.language()).is_some();
            all.weights.translation.when(!all.parsed.wants_translations && is_one())
        }),
    },
    Factor {
        name: "boosted",
        source: FactorSource::File(|all, file| {
            let fitting = all.boosts.iter().filter(|(spec, _)| spec.fits(file.path()));
            fitting.map(|one| one.1).product()
        }),
    },
    Factor {
        name: "test",
        source: FactorSource::Chunk(|all, file, row| {
            let is_test = row.is_test && !file.flags().is_test();
            all.weights.test.when(is_test && !all.parsed.wants_tests)
        }),
    },
    Factor {
        name: "head of a file",
        source: FactorSource::Chunk(|all, _, row| all.weights.head.when(row.kind == ChunkKind::Head)),
    },
    Factor {
        name: "prototypes",
        source: FactorSource::Chunk(|all, file, row| {
            let is_text = matches!(all.parsed.kind, QueryKind::NaturalLanguage | QueryKind::LongText);
            all.weights.typings.when(is_text && has_prototypes_alone(file, row))
        }),
    },
    Factor {
        name: "part of a large function",
        source: FactorSource::Chunk(|all, file, row| {
            let part_of = Some(row).filter(|row| row.kind == ChunkKind::Part);
            let of = part_of.and_then(|row| file.segment.declaration(row.declaration?));
            all.weights.large.when(of.is_some_and(|of| is_function(of.kind)))
        }),
    },
];

/// Returns the factors that all chunks of a file share, each with its name.
pub(super) fn of_file(
    recalled: &Recalled<'_>,
    file: &FileView<'_>,
) -> impl Iterator<Item = (&'static str, f64)> {
    FACTORS.iter().filter_map(|factor| match factor.source {
        FactorSource::File(value) => Some((factor.name, value(recalled, file))),
        FactorSource::Chunk(_) => None,
    })
}

/// Returns the further factors of a chunk, each with its name.
pub(super) fn of_chunk(
    recalled: &Recalled<'_>,
    file: &FileView<'_>,
    row: Option<&ChunkRow>,
) -> impl Iterator<Item = (&'static str, f64)> {
    FACTORS.iter().filter_map(move |factor| match factor.source {
        FactorSource::File(_) => None,
        FactorSource::Chunk(value) => Some((factor.name, row.map_or(1.0, |row| value(recalled, file, row)))),
    })
}

/// A weight that applies under a condition.
trait Conditional {
    /// Returns the factor if the condition holds, else 1.
    fn when(self, holds: bool) -> f64;
}

impl Conditional for f64 {
    fn when(self, holds: bool) -> f64 {
        if holds { self } else { 1.0 }
    }
}

/// Returns whether a chunk of C, C++ or Objective-C declares functions and defines none.
fn has_prototypes_alone(file: &FileView<'_>, row: &ChunkRow) -> bool {
    if !matches!(file.language(), "c" | "cpp" | "objective-c") {
        return false;
    }
    let of_file = file.segment.declarations_of(file.ord);
    let from_here = (row.first_declaration..of_file.end).map_while(|ord| file.segment.declaration(ord));
    let mut begin_here = from_here.take_while(|one| one.span.bytes.start < row.span.bytes.end).peekable();
    begin_here.peek().is_some() && begin_here.all(|one| is_function(one.kind) && one.body.is_empty())
}

/// Returns whether a language is not one that the query asks for. Documents are exempt if the query
/// asks for documents.
fn is_other(parsed: &ParsedQuery, language: &str) -> bool {
    let is_asked_for = is_prose(language) && parsed.wants_prose;
    language::is_other(language, parsed.written_in) && !is_asked_for
}

/// Returns whether a file is written for people to read. The language "text" also covers files
/// without a grammar, and "latex" packages of macros. So for a name or a path, such a file counts
/// only if it has no extension or one of prose. For questions all of them count, as they answer
/// few. See `doc/experiments/ranking.md`.
fn reads_as_prose(kind: QueryKind, file: &FileView<'_>) -> bool {
    const ENDS: [&str; 10] =
        ["adoc", "asciidoc", "org", "pod", "rdoc", "rst", "tex", "text", "textile", "txt"];
    let is_name = matches!(kind, QueryKind::Identifier | QueryKind::Path);
    if is_name && matches!(file.language(), "text" | "latex") {
        let name = path::name(file.path());
        let end = name.rsplit_once_str(".").map(|(_, end)| end.to_ascii_lowercase());
        return end.is_none_or(|end| ENDS.iter().any(|known| end == known.as_bytes()));
    }
    is_prose(file.language()) || is_manual(file.path(), file.language())
}

/// Returns whether a manual answers the query, and the file is one or a part of one: prose that is
/// not a list of changes, a page for `man`, or settings with comments.
fn is_asked_manual(recalled: &Recalled<'_>, file: &FileView<'_>) -> bool {
    if !recalled.parsed.wants_manual || file.flags().is_test() || is_of_other_project(&recalled.parsed, file)
    {
        return false;
    }
    let name = path::name(file.path()).to_ascii_lowercase();
    let is_page = match name.strip_suffix(b".in").unwrap_or(&name).rsplit_once_str(".") {
        Some((_, [b'1'..=b'9', ..])) => file.language() != "json",
        Some((_, end)) => matches!(end, b"man" | b"mdoc" | b"roff"),
        None => false,
    };
    let is_manual = is_page
        || reads_as_prose(QueryKind::Identifier, file)
        || is_docbook(&name, file)
        || is_settings_with_comments(&name);
    is_manual && !lists_changes(&recalled.parsed, file.path()) && !is_licence(file.path())
}

/// Returns whether a file has the settings of a program, which usually have comments that describe
/// each of them: `redis.conf`, `my.conf.sample`. `name` is the name of the file in lower case.
fn is_settings_with_comments(name: &[u8]) -> bool {
    const ENDS: [&str; 5] = [".conf", ".conf.sample", ".conf.example", ".conf.dist", ".conf.in"];
    ENDS.iter().any(|end| name.ends_with(end.as_bytes()))
}

/// Returns whether a file belongs to a dependency that the query does not name:
/// `deps/lua/manual.md` for a query without "lua".
fn is_of_other_project(parsed: &ParsedQuery, file: &FileView<'_>) -> bool {
    let is_named =
        |part: &[u8]| parsed.words.iter().any(|(word, _)| part.eq_ignore_ascii_case(word.as_bytes()));
    file.is_of_others() && !file.path().split(|byte| *byte == b'/').any(is_named)
}

/// Beginnings of the names of documents about a project, in lower case.
const PROJECT_DOCUMENTS: [&[u8]; 8] =
    [b"build", b"contribut", b"develop", b"getting", b"hacking", b"install", b"readme", b"testing"];

/// Returns whether the query asks how to build, run or set up the project, and the file is one of
/// the documents that say so.
fn is_asked_about_project(recalled: &Recalled<'_>, file: &FileView<'_>) -> bool {
    if !recalled.parsed.wants_project || file.flags().is_vendored() || file.flags().is_example() {
        return false;
    }
    let name = path::name(file.path()).to_ascii_lowercase();
    let is_named = PROJECT_DOCUMENTS.iter().any(|begin| name.starts_with(begin));
    is_named && is_prose(file.language())
}

/// Returns whether a person asks how to do something, and the file is not a list of changes.
fn is_guide(recalled: &Recalled<'_>, file: &FileView<'_>) -> bool {
    recalled.parsed.wants_guide
        && !lists_changes(&recalled.parsed, file.path())
        && !is_of_other_project(&recalled.parsed, file)
}

/// Number of declarations of a file that are looked at.
const MOST_LOOKED_AT: usize = 32;

/// Returns whether a file is a manual in XML: a page for `man` (`git.1.xml`), or a file with titled
/// sections, which only DocBook and DITA have. `name` is the name of the file in lower case.
fn is_docbook(name: &[u8], file: &FileView<'_>) -> bool {
    if file.language() != "xml" {
        return false;
    }
    // Not a version: `schema-1.1.xml`.
    let is_page = name.strip_suffix(b".xml").and_then(|name| name.rsplit_once_str(".")).is_some_and(
        |(page, section)| {
            matches!(section, [b'1'..=b'9']) && page.last().is_some_and(u8::is_ascii_alphabetic)
        },
    );
    is_page || file.declarations().take(MOST_LOOKED_AT).any(|one| one.row.kind == DeclarationKind::Section)
}

/// Returns whether a file lists changes in a markup language, such as `changes.xml`. In other
/// languages, a word of the name says less: `release.yml` makes releases.
fn is_changelog(parsed: &ParsedQuery, file: &FileView<'_>) -> bool {
    matches!(file.language(), "xml" | "html") && lists_changes(parsed, file.path())
}

/// Returns whether a file lists changes: by a word of its name (`CHANGES`, `version-2-released.md`)
/// or by a folder (`changelogs/`). If the query asks for releases, `release.md` says how to make
/// them.
fn lists_changes(parsed: &ParsedQuery, path: &BStr) -> bool {
    const BEGINS: [&str; 4] = ["change", "history", "news", "release"];
    const WORDS: [&str; 8] =
        ["changelog", "changelogs", "changes", "news", "release", "released", "releases", "whatsnew"];
    const FOLDERS: [&str; 8] = [
        "changelog",
        "changelogs",
        "news",
        "newsfragments",
        "release-notes",
        "release_notes",
        "releases",
        "whatsnew",
    ];
    let mut parts = path.rsplit_str("/");
    let name = parts.next().unwrap_or_default();
    let stem = name.rsplit_once_str(".").map_or(name, |(stem, _)| stem).to_str_lossy().to_ascii_lowercase();
    let words: Vec<&str> = stem.split(|c: char| !c.is_alphanumeric()).collect();
    let says_how = |word: &str| {
        let mut is_asked = false;
        each_term("release", |term, _| is_asked |= asks_for(parsed, term));
        is_asked && matches!(word, "release" | "releasing") && !words.contains(&"notes")
    };
    let is_list = |(at, word): (usize, &&str)| {
        let begins = at == 0 && BEGINS.iter().any(|begin| word.starts_with(begin));
        (begins || WORDS.contains(word)) && !says_how(word)
    };
    words.iter().enumerate().any(is_list)
        || parts.any(|part| FOLDERS.iter().any(|known| part.eq_ignore_ascii_case(known.as_bytes())))
}

/// Returns whether a file is a licence: no question for a manual is about it.
fn is_licence(path: &BStr) -> bool {
    const BEGINS: [&[u8]; 6] = [b"copying", b"copyright", b"licence", b"license", b"notice", b"unlicense"];
    let name = path.rsplit_str("/").next().unwrap_or_default();
    let begins = |begin: &&[u8]| name.get(..begin.len()).is_some_and(|it| it.eq_ignore_ascii_case(begin));
    BEGINS.iter().any(begins)
}

/// Returns whether a file is a manual in HTML, often generated from the code: a page in a
/// documentation directory. Ranking these lower helps issues find the code. See
/// `doc/experiments/ranking.md`.
fn is_manual(path: &BStr, language: &str) -> bool {
    const DIRECTORIES: [&str; 6] = ["apidocs", "doc", "docs", "documentation", "javadoc", "javadocs"];
    // Checked first because this runs for every file: the language decides in most cases.
    if language != "html" {
        return false;
    }
    let directories = path::parent(path);
    let is_document =
        |part: &[u8]| DIRECTORIES.iter().any(|known| part.eq_ignore_ascii_case(known.as_bytes()));
    directories.split_str("/").any(is_document)
}

/// Returns whether the query names a file.
fn is_named(recalled: &Recalled<'_>, file: &FileView<'_>) -> bool {
    recalled.named.contains_key(&(file.part, file.ord))
}

/// Returns whether a file declares the types of code that is elsewhere.
fn has_typings(path: &BStr) -> bool {
    [".d.ts", ".d.mts", ".d.cts", ".pyi"].iter().any(|end| path.ends_with(end.as_bytes()))
}

/// Returns whether a file is a drawing and the query does not ask for one. Numbers and names of
/// shapes are about nothing.
fn is_drawing(parsed: &ParsedQuery, path: &BStr) -> bool {
    path.ends_with(b".svg") && !asks_for(parsed, "svg")
}

/// Returns whether a file is a patch of code elsewhere and the query does not ask for one.
fn is_patch(parsed: &ParsedQuery, path: &BStr) -> bool {
    let is_patch = [".patch", ".diff"].iter().any(|end| path.ends_with(end.as_bytes()));
    is_patch && !asks_for(parsed, "patch") && !asks_for(parsed, "diff")
}

fn asks_for(parsed: &ParsedQuery, term: &str) -> bool {
    parsed.terms.iter().any(|asked| asked.term == term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::parse::parser::parse;
    use crate::search::query::{Query, search};
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

    #[test]
    fn lists_of_changes_are_told_from_manuals_by_their_names() {
        let lists = |path: &str, text: &str| lists_changes(&parse(text), path.into());
        for path in [
            "CHANGES.md",
            "NEWS",
            "www/posts/2020-version-2-1-0-released.md",
            "docs/v2-release-notes.md",
            "docs/whatsnew/2.0.rst",
            "changelogs/unreleased/12.md",
            "doc/python_changes.txt",
        ] {
            assert!(lists(path, "how do I configure a bridge"), "{path}");
        }
        for path in ["docs/bridge.md", "docs/how-to-change-the-port.md", "README.md", "news_reader/setup.md"]
        {
            assert!(!lists(path, "how do I configure a bridge"), "{path}");
        }
        assert!(lists("docs/release.md", "how do I configure a bridge"));
        assert!(!lists("docs/release.md", "how do I make a release"));
        assert!(!lists("docs/releasing.md", "how do I make a release"));
        assert!(lists("docs/release-notes.md", "how do I make a release"));
    }

    #[test]
    fn a_list_of_changes_in_xml_is_lowered_like_prose() {
        let list = "<changes>\n<change><para>bridge retry deadline of a broker; bridge retry</para></change>\n\
                    </changes>\n";
        let code = "int bridge_retry(int broker) {\n    return broker;\n}\n";
        let is_lowered = |text: &str| {
            let segment = sources(&[("doc/changes.xml", list), ("bridge.c", code)]);
            let found =
                search(&Index::whole(&segment), &Query { explain: true, ..Query::new(text) }).unwrap();
            let hit = found.hits.into_iter().find(|hit| hit.path == "doc/changes.xml").unwrap();
            hit.contributions.iter().any(|one| one.detail.contains("prose"))
        };
        assert!(is_lowered("where is a bridge retried by its deadline"));
        assert!(!is_lowered("changelog of the bridge retry deadline"));
    }

    #[test]
    fn settings_come_after_code_for_an_issue_that_does_not_name_them() {
        let code = "def bridge_retry(broker):\n    \"\"\"Retries a bridge before the deadline of its broker.\"\"\"\n";
        let settings = "bridge:\n  retry: 3\n  broker: main\n  deadline: 5\n";
        let segment = sources(&[("bridge.py", code), ("deploy/bridge.yaml", settings)]);
        let is_lowered = |text: &str| {
            let query = Query { explain: true, ..Query::new(text) };
            let found = search(&Index::whole(&segment), &query).unwrap();
            let hit = found.hits.into_iter().find(|hit| hit.path == "deploy/bridge.yaml").unwrap();
            hit.contributions.iter().any(|one| one.detail.contains("0.6 (settings or data)"))
        };
        let issue = "A bridge stops after a retry\n\nThe deadline of the broker has passed.\n";
        assert!(is_lowered(issue));
        assert!(!is_lowered(&format!("{issue}I set it in deploy/bridge.yaml.\n")));
        assert!(!is_lowered("where is the deadline of a bridge set"));
    }

    #[test]
    fn a_manual_in_docbook_answers_before_a_post_about_a_release() {
        let page = "<?xml version=\"1.0\"?>\n<refentry id=\"broker.conf\">\n<refsect1>\n\
                    <title>Configuring Bridges</title>\n<para>A bridge connects two brokers. Configure a \
                    bridge with the following options.</para>\n</refsect1>\n</refentry>\n";
        let post = "# Version 2\n\nHow a bridge between two brokers is configured has changed: configure a \
                    bridge with an address.\n";
        let code = "int bridge_configure(int brokers) {\n    return brokers;\n}\n";
        for (manual, text) in [
            ("man/broker.conf.5.xml", page.to_owned()),
            ("doc/bridges.xml", page.to_owned()),
            ("doc/bridges.xml", page.replace("refsect1", "section").replace("refentry", "chapter")),
        ] {
            let files = [(manual, text.as_str()), ("www/version-2-released.md", post), ("bridge.c", code)];
            let segment = sources(&files);
            let query = Query::new("how do I configure a bridge between two brokers");
            let hits = search(&Index::whole(&segment), &query).unwrap().hits;
            assert_eq!(hits[0].path, manual, "{hits:?}");
            assert!(hits[0].symbol.ends_with("Configuring Bridges"), "{}", hits[0].symbol);
        }
    }
}

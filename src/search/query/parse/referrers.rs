//! Questions for the referrers of a symbol: "what calls parse_header", "where is Config used",
//! "callers of open".
//!
//! Question → symbol and kinds of reference → referring chunks with a confidence. By its words
//! alone, such a question would find the symbol itself. Instead, the chunks that refer to it in the
//! reference graph come first, and the symbol comes after them. A text counts as such a question
//! only if it consists of a relation and one name.

use std::collections::HashMap;

use bstr::BStr;

use crate::index::chunk::ReferenceKind;
use crate::search::graph::{Graph, Graphs, manifests};
use crate::search::segment::Index;

use crate::search::query::{ChunkRef, Error, ReferrerTarget, Sources};

/// If more chunks than this mention the name, references are not resolved, as that would take
/// longer than the search. Every mention then counts as a guess.
const MOST_RESOLVED: usize = 1000;

/// If more declarations than this have the name, it does not mean one thing, and no referrers are
/// returned.
const MOST_DECLARATIONS: usize = 50;

/// The number of the repository in its own graph.
const HOME: usize = 0;

/// Confidence of a mention that is not resolved.
const MENTION: f64 = 0.4;

/// Factor for the definition signal of the symbol itself, so that its referrers come first.
pub(in crate::search::query) const OWN_DEFINITION: f64 = 0.3;

/// A function that is passed on as a value (`Use`) is called in the end.
const CALLS: &[ReferenceKind] = &[ReferenceKind::Call, ReferenceKind::Use];
const USES: &[ReferenceKind] =
    &[ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Inherits, ReferenceKind::Use];
const INHERITS: &[ReferenceKind] = &[ReferenceKind::Inherits];

/// Words that ask for a relation on their own, with the kinds of reference they ask for.
const RELATIONS: [(&str, &[ReferenceKind]); 24] = [
    ("called", CALLS),
    ("callers", CALLS),
    ("calls", CALLS),
    ("constructed", USES),
    ("constructs", USES),
    ("extends", INHERITS),
    ("implementations", INHERITS),
    ("implementers", INHERITS),
    ("implementors", INHERITS),
    ("implements", INHERITS),
    ("inherits", INHERITS),
    ("instantiated", USES),
    ("instantiates", USES),
    ("invoked", CALLS),
    ("invokes", CALLS),
    ("referenced", USES),
    ("references", USES),
    ("subclasses", INHERITS),
    ("usage", USES),
    ("usages", USES),
    ("used", USES),
    ("users", USES),
    ("uses", USES),
    ("using", USES),
];

/// Words that ask for a relation only after a word of [`ASKING`] ("where do we call it").
const VERBS: [(&str, &[ReferenceKind]); 6] = [
    ("call", CALLS),
    ("extend", INHERITS),
    ("implement", INHERITS),
    ("invoke", CALLS),
    ("reference", USES),
    ("use", USES),
];

/// Words that ask for a place or a thing.
const ASKING: [&str; 9] = ["all", "find", "list", "show", "that", "what", "where", "which", "who"];

/// Words that add nothing to such a question.
const BETWEEN: [&str; 43] = [
    "a",
    "an",
    "and",
    "anything",
    "are",
    "being",
    "class",
    "classes",
    "code",
    "do",
    "does",
    "else",
    "every",
    "everything",
    "everywhere",
    "files",
    "from",
    "function",
    "functions",
    "get",
    "gets",
    "i",
    "in",
    "interface",
    "is",
    "it",
    "me",
    "method",
    "methods",
    "of",
    "our",
    "place",
    "places",
    "sites",
    "struct",
    "the",
    "this",
    "to",
    "trait",
    "type",
    "types",
    "we",
    "you",
];

/// Words for a change, in "what breaks if I change X".
const CHANGES: [&str; 12] = [
    "alter", "break", "change", "delete", "drop", "edit", "modify", "move", "refactor", "remove", "rename",
    "touch",
];

/// Words that ask for a relation behind a name: "parse_header callers". For a name that may be a
/// plain word, only those that mean nothing else.
const BEHIND: [(&str, bool, &[ReferenceKind]); 9] = [
    ("callers", true, CALLS),
    ("calls", false, CALLS),
    ("implementations", false, INHERITS),
    ("implementers", true, INHERITS),
    ("implementors", true, INHERITS),
    ("references", false, USES),
    ("subclasses", true, INHERITS),
    ("usages", true, USES),
    ("users", false, USES),
];

/// A question for the referrers of a symbol.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search::query) struct ReferrerQuestion {
    /// The symbol, as written.
    pub(in crate::search::query) symbol: String,
    kinds: &'static [ReferenceKind],
}

impl ReferrerQuestion {
    /// Parses a question for referrers; `None` unless the text consists of a relation and one name.
    pub(in crate::search::query) fn asked(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some((name, kinds)) =
            by_consequence(&words).or_else(|| by_use(&words)).or_else(|| behind(&words))
        {
            return Self::new(name, kinds);
        }
        let mut asks = false;
        let (mut kinds, mut name) = (None, None);
        for (at, word) in words.iter().enumerate() {
            let is_last = at + 1 == words.len();
            let bare = if is_last { word.trim_end_matches(['?', '.', '!']) } else { word };
            let of = |list: &[(&str, &'static [ReferenceKind])]| {
                list.iter().find(|(known, _)| bare.eq_ignore_ascii_case(known)).map(|one| one.1)
            };
            let is = |list: &[&str]| list.iter().any(|known| bare.eq_ignore_ascii_case(known));
            let relation = of(&RELATIONS).or_else(|| of(&VERBS).filter(|_| asks));
            if kinds.is_none() && relation.is_some() {
                // "callers of it" asks without further words.
                asks |= words.get(at + 1).is_some_and(|next| matches!(*next, "of" | "to"));
                kinds = relation;
            } else if is(&ASKING) {
                asks = true;
            } else if !is(&BETWEEN) && name.replace(bare).is_some() {
                return None;
            }
        }
        kinds.filter(|_| asks).and_then(|kinds| Self::new(name?, kinds))
    }

    fn new(name: &str, kinds: &'static [ReferenceKind]) -> Option<Self> {
        let name = name.trim_end_matches(['?', '.', '!', ',']);
        let symbol = name.trim_matches('`').trim_end_matches("()").trim_matches('`').to_owned();
        (!symbol.is_empty()).then_some(Self { symbol, kinds })
    }

    /// Returns the symbol and the kind for the answer.
    pub(in crate::search::query) fn target(&self) -> ReferrerTarget {
        let name = self.symbol.rsplit(['.', ':', '#']).next().unwrap_or_default().to_owned();
        ReferrerTarget { name, kind: self.kinds.first().copied().unwrap_or(ReferenceKind::Use) }
    }

    /// Returns the chunks that refer to the symbol, each with a confidence from 0 to 1; none if
    /// nothing has the name.
    ///
    /// `sources` gives the manifests, which name the packages that the files of this repository
    /// import from each other.
    pub(in crate::search::query) fn of(
        &self,
        index: &Index<'_>,
        sources: Option<&dyn Sources>,
    ) -> Result<HashMap<ChunkRef, f64>, Error> {
        let text = |path: &BStr| sources.and_then(|all| all.texts(&[path]).pop().flatten());
        let mut graphs = Graphs::default();
        graphs.add(Graph::new(index), &manifests::packages(index, "", &text));
        let Some(graph) = graphs.graph(HOME) else { return Ok(HashMap::new()) };
        let mut found: HashMap<ChunkRef, f64> = HashMap::new();
        let mut note = |chunk: ChunkRef, sure: f64| {
            let known = found.entry(chunk).or_default();
            *known = known.max(sure);
        };
        let declarations = graph.find(&self.symbol)?;
        if declarations.len() > MOST_DECLARATIONS {
            return Ok(found);
        }
        for at in declarations {
            let Some((file, row)) = graph.declaration(at) else { continue };
            let name = file.segment.name(&row);
            let own = graph.chunk_of(at);
            let mut mentioning = Vec::new();
            for (part, segment) in index.segments() {
                for kind in self.kinds {
                    let chunks = segment.references(*kind, name)?.into_iter();
                    mentioning.extend(
                        chunks.map(|ord| ChunkRef { part, ord }).filter(|chunk| is_live(index, *chunk)),
                    );
                }
            }
            if mentioning.len() > MOST_RESOLVED {
                mentioning.into_iter().for_each(|chunk| note(chunk, MENTION));
                continue;
            }
            for (_, edge) in graphs.incoming(HOME, at, self.kinds)? {
                if Some(edge.from) != own {
                    note(edge.from, if edge.evidence.is_certain() { 1.0 } else { edge.confidence });
                }
            }
        }
        Ok(found)
    }
}

/// Reads "what breaks if I change X", "what happens when X is removed", "what depends on X",
/// "impact of changing X".
fn by_consequence<'t>(words: &[&'t str]) -> Option<(&'t str, &'static [ReferenceKind])> {
    let is = |at: usize, list: &[&str]| {
        words.get(at).is_some_and(|word| {
            let word = word.trim_end_matches(['?', ',']);
            list.iter().any(|known| word.eq_ignore_ascii_case(known))
        })
    };
    let skip = |at: usize, list: &[&str]| if is(at, list) { at + 1 } else { at };
    let last = |at: usize| words.get(at).filter(|_| at + 1 == words.len()).copied();
    if is(0, &["impact", "effect", "consequences"]) && is(1, &["of"]) {
        let gerund = words.get(2).map(|word| word.to_lowercase())?;
        let stem = gerund.strip_suffix("ing")?;
        let is_change = CHANGES.iter().any(|verb| {
            let bare = verb.strip_suffix('e').unwrap_or(verb);
            stem == *verb || stem == bare || stem.strip_suffix('p').is_some_and(|stem| stem == *verb)
        });
        return last(3).filter(|_| is_change).map(|name| (name, USES));
    }
    if !is(0, &["what", "who", "which"]) {
        return None;
    }
    let at =
        skip(skip(1, &["code", "else", "files", "functions", "tests"]), &["would", "will", "could", "might"]);
    if is(at, &["depends", "depend", "relies", "rely"]) && is(at + 1, &["on", "upon"]) {
        return last(skip(at + 2, &["the"])).map(|name| (name, USES));
    }
    let at = skip(at, &["is", "are", "gets", "be"]);
    let breaks = ["affected", "break", "breaks", "change", "changes", "fail", "fails", "happen", "happens"];
    let at = skip(if is(at, &breaks) { at + 1 } else { return None }, &["by"]);
    if !is(at, &["if", "when", "after"]) {
        return None;
    }
    let at = skip(at + 1, &["anyone", "i", "one", "somebody", "someone", "we", "you"]);
    if is(at, &CHANGES) {
        return last(skip(at + 1, &["the"])).map(|name| (name, USES));
    }
    // "… X is removed".
    let at = skip(at, &["the"]);
    let is_passive = is(at + 1, &["is", "gets", "was"]) && at + 3 == words.len();
    let participle = words.get(at + 2).map(|word| word.trim_end_matches('?').to_lowercase());
    let is_change = participle.is_some_and(|word| {
        let stem = word.strip_suffix('d').unwrap_or(&word);
        let stem = stem.strip_suffix('e').unwrap_or(stem);
        CHANGES.iter().any(|verb| verb.strip_suffix('e').unwrap_or(verb) == stem)
    });
    words.get(at).filter(|_| is_passive && is_change).map(|name| (*name, USES))
}

/// Reads "is X still used", "does anything use X", "is X dead code".
fn by_use<'t>(words: &[&'t str]) -> Option<(&'t str, &'static [ReferenceKind])> {
    let lower: Vec<String> =
        words.iter().map(|word| word.trim_end_matches(['?', '.', '!']).to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match lower.as_slice() {
        ["is" | "are", _, rest @ ..] if !rest.is_empty() => {
            let is_filler = |word: &str| matches!(word, "still" | "ever" | "actually" | "even");
            let rest: Vec<&str> = rest.iter().copied().filter(|word| !is_filler(word)).collect();
            let is_use = matches!(
                rest.as_slice(),
                ["used" | "called" | "referenced" | "needed" | "unused"]
                    | ["used" | "called" | "referenced" | "needed", "anywhere" | "somewhere"]
                    | ["dead", "code"]
                    | ["in", "use"]
            );
            words.get(1).filter(|_| is_use).map(|name| (*name, USES))
        }
        ["does" | "do", "anything" | "anyone" | "anybody" | "someone" | "we", rest @ ..] => {
            let at = words.len() - rest.len();
            let at = if matches!(rest.first().copied(), Some("still" | "ever" | "actually")) {
                at + 1
            } else {
                at
            };
            let kinds = match lower.get(at).copied() {
                Some("use" | "reference" | "need") => USES,
                Some("call" | "invoke") => CALLS,
                Some("implement" | "extend") => INHERITS,
                _ => return None,
            };
            words.get(at + 1).filter(|_| at + 2 == words.len()).map(|name| (*name, kinds))
        }
        _ => None,
    }
}

/// Reads "parse_header callers".
fn behind<'t>(words: &[&'t str]) -> Option<(&'t str, &'static [ReferenceKind])> {
    let [name, relation] = words else { return None };
    let relation = relation.trim_end_matches('?');
    let (_, is_clear, kinds) = BEHIND.iter().find(|one| relation.eq_ignore_ascii_case(one.0))?;
    let is_other = |word: &str| ASKING.iter().chain(&BETWEEN).any(|known| word.eq_ignore_ascii_case(known));
    let is_symbol = name.contains(['_', '.', ':', '(', '`'])
        || name.chars().skip(1).any(char::is_uppercase) && name.chars().any(char::is_lowercase);
    ((*is_clear || is_symbol) && !is_other(name)).then_some((*name, *kinds))
}

fn is_live(index: &Index<'_>, chunk: ChunkRef) -> bool {
    let row = index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
    row.is_some_and(|row| index.is_live(chunk.part, row.file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_users_is_told_from_what_asks_for_the_thing() {
        for (text, symbol, kinds) in [
            ("what calls parse_header", "parse_header", CALLS),
            ("What calls the `Parser.open()` method?", "Parser.open", CALLS),
            ("where is Config used?", "Config", USES),
            ("who uses Config", "Config", USES),
            ("which functions call open", "open", CALLS),
            ("where do we call http::Client::send", "http::Client::send", CALLS),
            ("callers of open", "open", CALLS),
            ("find all references to BlockManager", "BlockManager", USES),
            ("what implements Codec", "Codec", INHERITS),
            ("code that uses Session", "Session", USES),
            ("what breaks if I change parse_header?", "parse_header", USES),
            ("what would break when we rename the Session", "Session", USES),
            ("What happens if Session.open is removed?", "Session.open", USES),
            ("which tests fail if I touch `retry()`", "retry", USES),
            ("what depends on BlockManager", "BlockManager", USES),
            ("who relies on the Config?", "Config", USES),
            ("impact of changing parse_header", "parse_header", USES),
            ("is parse_header still used?", "parse_header", USES),
            ("is Config used anywhere", "Config", USES),
            ("is old_api dead code", "old_api", USES),
            ("does anything still call open", "open", CALLS),
            ("does anyone use parse_header", "parse_header", USES),
            ("parse_header callers", "parse_header", CALLS),
            ("open callers", "open", CALLS),
            ("BlockManager references", "BlockManager", USES),
        ] {
            let asked = ReferrerQuestion::asked(text);
            let of = |users: ReferrerQuestion| (users.symbol, users.kinds);
            assert_eq!(asked.map(of), Some((symbol.to_owned(), kinds)), "{text}");
        }
        for text in [
            "call parse_header",
            "use cache",
            "how to use Client",
            "where is the retry policy used",
            "what is Config",
            "how are failed uploads retried",
            "Config",
            "where is Config",
            "uses of memory in the cache",
            "where is Config implemented",
            "what breaks the build",
            "what happens if the upload fails",
            "what depends on the order of the files",
            "is the cache used when offline",
            "is caching enabled",
            "session users",
            "the callers",
            "impact of changing the default timeout",
            "what changes when the token expires",
            "",
        ] {
            assert_eq!(ReferrerQuestion::asked(text), None, "{text}");
        }
    }

    fn found(files: &[crate::search::segment::samples::SampleFile], symbol: &str) -> Vec<(u32, f64)> {
        let segment = crate::search::segment::samples::segment(files);
        let users = ReferrerQuestion { symbol: symbol.to_owned(), kinds: CALLS };
        let found = users.of(&Index::whole(&segment), None).unwrap();
        let mut found: Vec<(u32, f64)> = found.into_iter().map(|(chunk, sure)| (chunk.ord, sure)).collect();
        found.sort_by_key(|one| one.0);
        found
    }

    #[test]
    fn a_name_that_very_many_declare_or_mention_is_not_resolved() {
        use crate::search::segment::samples::file;
        let user = ("caller", "", "parse_it");
        let declared = |n: usize| {
            let mut chunks = vec![("parse_it", "", "x"); n];
            chunks.push(user);
            found(&[file("a.py", &chunks)], "parse_it").len()
        };
        assert_eq!(declared(1), 1);
        assert!(declared(50) > 0);
        assert_eq!(declared(51), 0, "it does not mean one thing");
        let mentioned = |n: usize| {
            let mut chunks = vec![user; n];
            chunks.push(("parse_it", "", "x"));
            found(&[file("a.py", &chunks)], "parse_it")
        };
        assert!(mentioned(2).iter().all(|one| one.1 != 0.4), "they are resolved");
        let guesses = mentioned(1001);
        assert_eq!(guesses.len(), 1001);
        assert!(guesses.iter().all(|one| one.1 == 0.4));
    }
}

//! Questions for what refers to a symbol, and for what it refers to: "what calls parse_header",
//! "where is Config used", "what does open call".
//!
//! Question → symbol, direction and kinds of reference. By its words alone, such a question would
//! find the symbol itself. Instead, the chunks at the other end of its references come first, and
//! the symbol comes after them. A text counts as such a question only if it consists of a relation
//! and one name. Whether the name is declared is for others to look up.

mod incoming;
mod name;
mod outgoing;

use crate::index::chunk::ReferenceKind;
use crate::search::graph::{DeclarationRef, Graph, WrittenName};

use name::NameWord;

use super::filter::without_filters;
use crate::search::query::{Direction, Filters, RelatedChunk, RelationTarget};

/// A longer text, in bytes, is not such a question.
const MAX_BYTES: usize = 240;

/// Factor for the definition signal of the symbol itself, so that what is asked for comes first.
pub(in crate::search::query) const OWN_DEFINITION: f64 = 0.3;

/// A function that is passed on as a value (`Use`) is called in the end. Code that
/// "calls" a type constructs it, or names it in a signature.
const CALLS: &[ReferenceKind] = &[ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Use];
/// For the callees of a function, only calls count: a name alone is not called.
const CALLED: &[ReferenceKind] = &[ReferenceKind::Call];
const USES: &[ReferenceKind] =
    &[ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Inherits, ReferenceKind::Use];
const INHERITS: &[ReferenceKind] = &[ReferenceKind::Inherits];

/// How well a reference answers that names the symbol, if the question asks what calls it. Not
/// measured; such references follow the calls.
const NAMED: f64 = 0.9;

/// How well a name answers that stands outside of any function and is not called there, as in a
/// table of handlers.
const OUTSIDE: f64 = 0.8;

/// How well a list of exports answers. It follows all other references, those in tests too; see
/// [`RelatedChunk::is_export`]. Not measured.
const EXPORTED: f64 = 0.3;

/// A name, and the kinds of reference that are asked for.
type NamedKinds = (NameWord, &'static [ReferenceKind]);

/// What is around a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceSite {
    /// A function, or what is not known.
    Function,
    /// Code outside of any function.
    Outside,
    /// A list of the names that a module exports (`__all__`, `module.exports`).
    Exports,
}

/// A question for what refers to a symbol, or for what it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationQuestion {
    /// The symbol, as written.
    pub symbol: String,
    /// Whether what refers to the symbol is asked for, or what it refers to.
    pub direction: Direction,
    /// The kinds of reference that it asks for.
    pub kinds: &'static [ReferenceKind],
    /// Whether the name may be a plain word of the question, as in "what calls get". Then it counts
    /// only if it is declared in exactly this way.
    pub is_word: bool,
}

impl RelationQuestion {
    /// Parses a question for references; `None` unless the text consists of a relation and one
    /// name. Filters in the text are ignored.
    pub fn asked(text: &str) -> Option<Self> {
        if text.len() > MAX_BYTES || text.trim().contains('\n') {
            return None;
        }
        let mut names = Vec::new();
        let text = without_filters(text, &mut Filters::default(), &mut names);
        let words: Vec<&str> = text.split_whitespace().collect();
        if !names.is_empty() {
            return None;
        }
        let (direction, (named, kinds)) = match outgoing::read(&words) {
            Some(found) => (Direction::Outgoing, found),
            None => (Direction::Incoming, incoming::read(&words)?),
        };
        // "What happens when the flag is removed" hardly means a type `Flag`.
        let is_word = named.is_word || named.symbol.chars().all(|c| c.is_ascii_lowercase());
        (!named.symbol.is_empty()).then_some(Self { symbol: named.symbol, direction, kinds, is_word })
    }

    /// Returns how well a reference answers, from 0 to 1. Calls of a function come before other
    /// references to it.
    pub fn fit(&self, kind: ReferenceKind, site: ReferenceSite) -> f64 {
        match (self.kinds.first(), kind, site) {
            (_, ReferenceKind::Use, ReferenceSite::Exports) => EXPORTED,
            (_, ReferenceKind::Use, ReferenceSite::Outside) => OUTSIDE,
            (Some(first), _, _) if *first == kind || self.kinds == USES => 1.0,
            _ => NAMED,
        }
    }

    /// Returns how a chunk with a reference answers.
    pub(crate) fn related(&self, kind: ReferenceKind, site: ReferenceSite, confidence: f64) -> RelatedChunk {
        let is_export = site == ReferenceSite::Exports && kind == ReferenceKind::Use;
        RelatedChunk { confidence, fit: self.fit(kind, site), is_export }
    }

    /// Returns the symbol and the kind for the answer.
    pub fn target(&self) -> RelationTarget {
        let name = self.symbol.rsplit(['.', ':', '#']).next().unwrap_or_default().to_owned();
        let kind = self.kinds.first().copied().unwrap_or(ReferenceKind::Use);
        RelationTarget { name, kind, direction: self.direction }
    }

    /// Returns whether a declaration is meant, among those with the name.
    pub fn admits(&self, graph: &Graph<'_, '_>, at: DeclarationRef) -> bool {
        let written = WrittenName::parse(&self.symbol);
        let Some((file, row)) = graph.declaration(at).filter(|_| self.is_word) else { return true };
        let is_whole = written.fit(&file, &row).is_some_and(|fit| fit.n >= written.n_qualifiers());
        file.segment.name(&row) == written.name && is_whole
    }
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
            ("anyone still using parse_header?", "parse_header", USES),
            ("is anyone still calling parse_header?", "parse_header", CALLS),
            ("who is calling `parse_header()`?", "parse_header", CALLS),
            ("what's using Config", "Config", USES),
            ("where's Config used?", "Config", USES),
            ("any callers of parse_header?", "parse_header", CALLS),
            ("are there any callers of parse_header", "parse_header", CALLS),
            ("call sites of parse_header", "parse_header", CALLS),
            ("parse_header call sites", "parse_header", CALLS),
            ("all callsites of Session.open", "Session.open", CALLS),
            ("parse_header usage", "parse_header", USES),
            ("does any code call parse_header", "parse_header", CALLS),
            ("do any tests use Config?", "Config", USES),
            ("which tests cover parse_header", "parse_header", USES),
            ("how many places call parse_header", "parse_header", CALLS),
            ("how often is parse_header called?", "parse_header", USES),
            ("can I delete parse_header?", "parse_header", USES),
            ("can we safely remove the `retry` function", "retry", USES),
            ("can Session.open be renamed", "Session.open", USES),
            ("is it safe to delete Config", "Config", USES),
            ("if I change parse_header, what breaks?", "parse_header", USES),
            ("what is affected by changing parse_header", "parse_header", USES),
            ("what would I break by renaming Session", "Session", USES),
            ("what gets broken if I move parse_header", "parse_header", USES),
            ("is Config used anywhere", "Config", USES),
            ("is old_api dead code", "old_api", USES),
            ("does anything still call open", "open", CALLS),
            ("does anyone use parse_header", "parse_header", USES),
            ("parse_header callers", "parse_header", CALLS),
            ("open callers", "open", CALLS),
            ("BlockManager references", "BlockManager", USES),
            ("which tests call parse_header", "parse_header", CALLS),
            ("what calls parse_header lang:go -path:vendor", "parse_header", CALLS),
            ("what breaks if parse_header changes", "parse_header", USES),
            ("is the Config class still used?", "Config", USES),
            ("what calls Find", "Find", CALLS),
            ("who uses Class", "Class", USES),
            ("which classes inherit from Transport", "Transport", INHERITS),
            ("what derives from Transport?", "Transport", INHERITS),
            ("classes derived from Transport", "Transport", INHERITS),
            ("types that extend Transport", "Transport", INHERITS),
            ("subclasses of Transport", "Transport", INHERITS),
            ("where is Transport subclassed", "Transport", INHERITS),
            ("which structs implement io.Reader", "io.Reader", INHERITS),
            ("callers of open in src/log.c", "src/log.c:open", CALLS),
            ("callers NewLessor", "NewLessor", CALLS),
            ("usages log_open", "log_open", USES),
            ("what calls log_open in log.c", "log.c:log_open", CALLS),
        ] {
            let asked = RelationQuestion::asked(text);
            let of = |asked: RelationQuestion| (asked.symbol, asked.direction, asked.kinds, asked.is_word);
            let is_word = ["open", "retry"].contains(&symbol);
            let expected = Some((symbol.to_owned(), Direction::Incoming, kinds, is_word));
            assert_eq!(asked.map(of), expected, "{text}");
        }
    }

    #[test]
    fn other_questions_ask_for_no_users() {
        for text in [
            "call parse_header",
            "use cache",
            "how to use Client",
            "where is the retry policy used",
            "what is Config",
            "how are failed uploads retried",
            "Config",
            "where is Config",
            "where is it called from",
            "what uses this function",
            "what uses the most memory",
            "find callers of the",
            "what calls parse_header symbol:open",
            "where is Config implemented",
            "what breaks the build",
            "what calls for a retry",
            "is the cache still used after close",
            "can I delete a branch",
            "can we remove the cache",
            "can a user be deleted",
            "is it safe to remove the lock",
            "how many users are there",
            "how often is the cache cleared",
            "are there any limits",
            "if the token expires, what happens",
            "is anyone allowed to connect",
            "any flag to disable color",
            "call site",
            "what happens if the upload fails",
            "what depends on the order of the files",
            "is the cache used when offline",
            "is caching enabled",
            "session users",
            "the callers",
            "impact of changing the default timeout",
            "what changes when the token expires",
            "what does it call",
            "what do we use",
            "what does the server do",
            "how does parse_header use the cache",
            "what is used by the cache and the index",
            "the key is derived from the Password",
            "what is used by default",
            "which functions are called by name",
            "resolve callees",
            "what do tests use",
            "",
        ] {
            assert_eq!(RelationQuestion::asked(text), None, "{text}");
        }
    }

    #[test]
    fn what_a_symbol_refers_to_is_told_from_what_refers_to_it() {
        for (text, symbol, kinds) in [
            ("what does parse_header call", "parse_header", CALLED),
            ("which functions does Session.open call?", "Session.open", CALLED),
            ("what does the Config class use", "Config", USES),
            ("what does Session depend on?", "Session", USES),
            ("what does HTTPTransport inherit from", "HTTPTransport", INHERITS),
            ("which interfaces does RefStore implement", "RefStore", INHERITS),
            ("what is called by parse_header", "parse_header", CALLED),
            ("what is used by parse_header", "parse_header", USES),
            ("functions called by Session.open", "Session.open", CALLED),
            ("callees of parse_header", "parse_header", CALLED),
            ("parse_header callees", "parse_header", CALLED),
            ("what are the callees of `Session.open()`?", "Session.open", CALLED),
            ("what parse_header calls", "parse_header", CALLED),
            ("functions that parse_header calls", "parse_header", CALLED),
            ("show what the Config class uses", "Config", USES),
            ("which types RefStore inherits from", "RefStore", INHERITS),
            ("who does parse_header call", "parse_header", CALLED),
        ] {
            let asked = RelationQuestion::asked(text);
            let of = |asked: RelationQuestion| (asked.symbol, asked.direction, asked.kinds);
            assert_eq!(asked.map(of), Some((symbol.to_owned(), Direction::Outgoing, kinds)), "{text}");
        }
    }

    #[test]
    fn a_plain_word_is_a_name_only_if_it_is_declared() {
        for (text, symbol) in [
            ("Find callers", "Find"),
            ("who calls get?", "get"),
            ("where is the get method called from", "get"),
            ("what depends on all", "all"),
            ("is find still used", "find"),
            ("get callers", "get"),
            ("all get usages", "get"),
            ("which functions call from", "from"),
            ("what uses field", "field"),
            ("callers of get in Client", "Client.get"),
            ("callers of Find in List", "List.Find"),
            ("what calls the open method of the Session class", "Session.open"),
            ("uses of memory in the cache", "cache.memory"),
        ] {
            let asked = RelationQuestion::asked(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((asked.symbol.as_str(), asked.is_word), (symbol, true), "{text}");
        }
    }
}

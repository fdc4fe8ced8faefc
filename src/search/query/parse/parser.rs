//! The parser of query texts.
//!
//! Text → [`ParsedQuery`]: the kind of the query, weighted terms, names to look up, paths, quoted
//! phrases and filters. It is pure: no index is consulted, so a text always parses the same way.
//! Its output is bounded whatever the text, because a whole issue with its logs is a normal query.

use std::collections::HashMap;

use crate::base::text::head;
use crate::base::text::identifier::{each_part, is_keyword, offset_in, tokens};
use crate::index::chunk::DeclarationKind;
use crate::index::embed::{self, Question};
use crate::search::segment::terms::{TermKind, each_term};

use super::filter::without_filters;
use super::foreign::ForeignWords;
use super::option_question::asks_for_manual;
use super::paths::{NamedPath, named_paths, number_frames};
use super::quotes::{quotes_in_passing, without_phrases};
use super::{declaration_head, frames, words};
#[cfg(doc)]
use crate::search::query::Answer;
use crate::search::query::weights::{WEIGHTS, Weights};
use crate::search::query::{Filters, QueryKind};

/// A longer text of one line, in bytes, is read as a long text, in which quotes and colons are
/// prose.
const LONG_BYTES: usize = 240;
/// Maximum number of bytes of the text that are read.
const MAX_BYTES: usize = 256 << 10;
/// Maximum number of terms that are searched for; if there are more, the heaviest.
const MAX_TERMS: usize = 400;
/// Maximum number of names that are looked up.
const MAX_SYMBOLS: usize = 64;
/// Maximum number of words in a query that consists of names alone.
const MAX_IDENTIFIERS: usize = 3;
/// Maximum number of chat turns that are read, the latest first.
const MAX_TURNS: usize = 16;
/// Longest token in an index, in bytes.
const TOKEN_BYTES: usize = 64;

/// A parsed query.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedQuery {
    /// The kind of the query.
    pub kind: QueryKind,
    /// The terms to search for, each once, sorted.
    pub terms: Vec<QueryTerm>,
    /// The embedding of the text; zero for a single word or a path, which mean no more than their
    /// letters.
    pub question: Question,
    /// The numbers of the text's sub-tokens, with the weights of their mentions. A long text lists
    /// a sub-token as often as it occurs, a question lists it once.
    pub asked: Vec<(u16, f32)>,
    /// The words of a short text that carry meaning and are not compound identifiers, in lower
    /// case, each once, with their weights. These are checked for misspellings.
    pub words: Vec<(String, f32)>,
    /// Whether the text is a question in another language than English, so that no word of it is
    /// misspelt English.
    pub is_foreign: bool,
    /// Names to look up among the declarations, in order of their first mention.
    pub symbols: Vec<SymbolWord>,
    /// The text, if it is one name with dots, as settings files have (`mail.from`); else empty.
    pub dotted: String,
    /// Quoted phrases, as written.
    pub phrases: Vec<String>,
    /// Files that the text mentions.
    pub paths: Vec<NamedPath>,
    /// The filters `path:`, `lang:` and `kind:` in the text.
    pub filters: Filters,
    /// The filters `symbol:` in the text. A hit must declare one of them; `*` at the end stands for
    /// any rest.
    pub symbol_filters: Vec<String>,
    /// Whether the query is about tests.
    pub wants_tests: bool,
    /// Whether the query is about examples.
    pub wants_examples: bool,
    /// Whether the query is about documents.
    pub wants_prose: bool,
    /// Whether the query asks for a default value.
    pub wants_default: bool,
    /// Whether a manual answers the query.
    pub wants_manual: bool,
    /// Whether the query asks how to build, run or set up the project.
    pub wants_project: bool,
    /// Whether a person asks how to do something, which a document may say as well as code.
    pub wants_guide: bool,
    /// Whether the query is about translated texts.
    pub wants_translations: bool,
    /// The languages that the query asks for code in; empty if it names none.
    pub written_in: &'static [&'static str],
}

/// A term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    /// The term.
    pub term: String,
    /// The weight of the term: the sum over its mentions.
    pub weight: f32,
    /// Whether the term is a part of an identifier. Only parts are compared with the words of
    /// paths.
    pub is_part: bool,
    /// BM25's idf among the chunks that were searched; 0 before the search, and if no chunk has the
    /// term.
    pub idf: f32,
}

/// A name to look up among the declarations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolWord {
    /// The letters, digits and underscores of the name.
    pub name: String,
    /// The name with the signs that end it (`save!`, `valid?`, `name=`, `operator==`), which
    /// distinguish it from other declarations. For an operator alone (`<=>`), both fields are the
    /// operator.
    pub written: String,
    /// The qualifier before the name (`Foo` of `Foo.bar`); empty if there is none.
    pub qualifier: String,
    /// The kinds of declaration that the query's keyword means (`struct` of `struct session`);
    /// empty if it has none.
    pub kinds: &'static [DeclarationKind],
}

impl SymbolWord {
    /// Returns the name of an operator: a word without any token.
    fn operator(word: &str) -> Self {
        let name = word.trim().trim_matches('`').to_owned();
        Self { written: name.clone(), name, qualifier: String::new(), kinds: &[] }
    }
}

/// Parses the text of a query with the default weights.
pub fn parse(text: &str) -> ParsedQuery {
    parse_weighted(text, &WEIGHTS)
}

/// Returns whether a text is read as a long text.
pub(in crate::search::query) fn is_long(text: &str) -> bool {
    let text = text.trim();
    text.len() > LONG_BYTES || text.contains('\n')
}

/// Returns the filters in the text of a query, as [`parse`] does, without the rest of its work.
pub fn filters_in(text: &str) -> Filters {
    let text = head(text, MAX_BYTES).trim();
    Operators::of(text, is_long(text)).filters
}

/// The parts of a text with a meaning of their own, and the other words.
#[derive(Default)]
struct Operators {
    filters: Filters,
    symbol_filters: Vec<String>,
    phrases: Vec<String>,
    rest: String,
}

impl Operators {
    /// Takes the operators out of a text. A long text has none.
    fn of(text: &str, is_long: bool) -> Self {
        let mut of = Self { rest: text.to_owned(), ..Self::default() };
        if !is_long {
            // The quotes in a frame of a Python traceback do not mark a phrase.
            if !text.starts_with("File \"") && !quotes_in_passing(text) {
                of.rest = without_phrases(&of.rest, &mut of.phrases);
            }
            of.rest = without_filters(&of.rest, &mut of.filters, &mut of.symbol_filters);
        }
        of
    }
}

/// Parses the text of a query like [`parse`], with other weights for the terms.
pub(in crate::search::query) fn parse_weighted(text: &str, weights: &Weights) -> ParsedQuery {
    let text = head(text, MAX_BYTES).trim();
    let is_long = is_long(text);
    // Two short lines are a question that was wrapped, and have no title.
    let is_wrapped = text.len() <= LONG_BYTES && text.lines().count() == 2;
    let Operators { filters, symbol_filters, phrases, mut rest } = Operators::of(text, is_long);
    let head = declaration_head::read(&rest).filter(|_| !is_long && phrases.is_empty());
    let (name, kinds) = head.map_or(("", [].as_slice()), |head| (head.name, head.kinds));
    if !name.is_empty() {
        rest = name.to_owned();
    }
    let mut paths = named_paths(&rest);
    let mentions = mentions(&rest, is_long && !is_wrapped, weights);
    let kind = match kind(&rest, is_long, &paths, &mentions) {
        QueryKind::LongText if is_wrapped => QueryKind::NaturalLanguage,
        kind => kind,
    };
    number_frames(&mut paths, &rest, kind);
    let foreign = if kind == QueryKind::NaturalLanguage { ForeignWords::of(&rest) } else { None };
    let is_function_word =
        |lower: &str| words::is_stop_word(lower) || foreign.is_some_and(|of| of.contains(lower));
    let keep_all = matches!(kind, QueryKind::Identifier | QueryKind::Path)
        || mentions.iter().all(|m| m.symbol_like || words::is_stop_word(&m.token.to_lowercase()));

    let mut symbols: Vec<SymbolWord> = Vec::new();
    let mut counted: HashMap<String, (f32, bool)> = HashMap::new();
    let mut wants = AsideWishes::default();
    let mut single: Vec<(String, f32)> = Vec::new();
    for (mention, next) in mentions.iter().zip(mentions.iter().skip(1).map(Some).chain([None])) {
        let lower = mention.token.to_lowercase();
        if !is_long {
            let of_name = mention.symbol_like || kind != QueryKind::NaturalLanguage || !paths.is_empty();
            each_part(mention.token, |part| wants.add(&part.to_lowercase(), of_name));
        }
        // `Foo` of `Foo.bar` says where to look, not what for.
        let is_qualifier = next.is_some_and(|next| std::ptr::eq(next.qualifier, mention.token));
        let looked_up =
            !is_qualifier && (mention.symbol_like || kind == QueryKind::Identifier) && !mention.is_number();
        if looked_up {
            add(&mut symbols, mention.symbol());
        }
        if is_long && mention.is_noise() {
            continue;
        }
        if keep_all || mention.symbol_like || !is_function_word(&lower) {
            count(mention.token, mention.weight, weights, &mut counted);
            let mut n_parts = 0;
            each_part(mention.token, |_| n_parts += 1);
            // A compound identifier that occurs nowhere is absent, not misspelled.
            if !is_long && n_parts == 1 {
                match single.iter_mut().find(|(word, _)| *word == lower) {
                    Some((_, weight)) => *weight += mention.weight,
                    None => single.push((lower, mention.weight)),
                }
            }
        }
    }
    for phrase in &phrases {
        tokens(phrase)
            .filter(|t| t.len() <= TOKEN_BYTES)
            .for_each(|token| count(token, 1.0, weights, &mut counted));
    }
    wants.tests |= !is_long && words::asks_for_tests(&rest);
    if let Some(verb) = words::asks_how_to_work(&rest).filter(|_| !is_long) {
        wants.prose = true;
        // In "run the tests", the tests say nothing about what to find.
        wants.tests &= !verb.eq_ignore_ascii_case("run");
        wants.examples &= !verb.eq_ignore_ascii_case("run");
    }
    if mentions.is_empty() && kind == QueryKind::Identifier && !rest.contains(char::is_whitespace) {
        add(&mut symbols, SymbolWord::operator(&rest));
    }
    symbols.iter_mut().for_each(|symbol| symbol.kinds = kinds);
    let (question, asked) = question(kind, &mentions, &phrases);
    ParsedQuery {
        kind,
        terms: heaviest(counted),
        question,
        asked,
        words: single,
        is_foreign: foreign.is_some(),
        symbols,
        dotted: if kind == QueryKind::Identifier { dotted(&rest) } else { String::new() },
        phrases,
        paths,
        filters,
        symbol_filters,
        wants_tests: wants.tests,
        wants_examples: wants.examples,
        wants_prose: wants.prose,
        wants_default: !is_long && words::asks_for_default(&rest),
        wants_manual: !is_long && asks_for_manual(&rest),
        wants_project: !is_long && words::asks_to_work_on_project(&rest),
        wants_guide: !is_long && words::asks_as_user(&rest),
        wants_translations: wants.translations,
        written_in: &[],
    }
}

/// Returns a text that is one name with dots; otherwise an empty one.
fn dotted(text: &str) -> String {
    let text = text.trim();
    let is_one = text.contains('.') && !text.contains(char::is_whitespace);
    if is_one { text.to_owned() } else { String::new() }
}

/// Which kinds of files that usually come after code the text asks for.
#[derive(Default)]
struct AsideWishes {
    tests: bool,
    examples: bool,
    prose: bool,
    translations: bool,
}

impl AsideWishes {
    /// Notes a word of the text or, if `of_name`, of a name in it; in lower case.
    fn add(&mut self, word: &str, of_name: bool) {
        self.tests |= of_name && words::names_tests(word);
        self.examples |= words::asks_for_examples(word);
        self.prose |= words::asks_for_prose(word);
        self.translations |= words::asks_for_translations(word);
    }
}

impl ParsedQuery {
    /// Adds earlier turns of a chat, the latest first. Their words are weighted by
    /// [`Weights::turn`]; their names and paths count in full. The kind of the question stays, and
    /// so does its embedding, unless it has none.
    pub(in crate::search::query) fn add_context(&mut self, turns: &[String], weights: &Weights) {
        let mut share = 1.0;
        let mut counted: HashMap<String, (f32, bool)> =
            self.terms.drain(..).map(|term| (term.term, (term.weight, term.is_part))).collect();
        for turn in turns.iter().take(MAX_TURNS) {
            share *= weights.turn;
            // The line feed makes the turn a long text, in which quotes and colons are prose.
            let said = parse_weighted(&format!("{turn}\n"), weights);
            let most = said.terms.iter().map(|term| term.weight).fold(1.0, f32::max);
            for term in said.terms {
                let entry = counted.entry(term.term).or_insert((0.0, term.is_part));
                // Scaled by the heaviest term, so that a long turn does not outweigh the question.
                entry.0 += share * term.weight / most;
            }
            for symbol in said.symbols {
                add(&mut self.symbols, symbol);
            }
            for path in said.paths {
                if !self.paths.iter().any(|known| known.path == path.path) {
                    self.paths.push(path);
                }
            }
            if self.question.is_zero() && self.kind == QueryKind::NaturalLanguage {
                self.question = said.question;
                self.asked = said.asked;
            }
        }
        self.terms = heaviest(counted);
    }
}

/// Adds a name, unless it is already listed or the list is full.
fn add(symbols: &mut Vec<SymbolWord>, symbol: SymbolWord) {
    if symbols.len() < MAX_SYMBOLS && !symbols.iter().any(|known| known.written == symbol.written) {
        symbols.push(symbol);
    }
}

/// Returns the embedding of a text and its weighted sub-tokens; both are empty for a path or a
/// stack trace.
fn question(kind: QueryKind, mentions: &[Mention<'_>], phrases: &[String]) -> (Question, Vec<(u16, f32)>) {
    match kind {
        QueryKind::LongText => {
            let model = embed::builtin();
            let mut asked = Vec::new();
            for mention in mentions {
                let numbers = model.asked([mention.token]);
                asked.extend(numbers.into_iter().map(|number| (number, mention.weight)));
            }
            let numbers: Vec<u16> = asked.iter().map(|one| one.0).collect();
            (model.bag_of(&numbers).question(model), asked)
        }
        QueryKind::NaturalLanguage | QueryKind::Identifier => {
            let quoted = phrases.iter().flat_map(|phrase| tokens(phrase));
            let words: Vec<&str> = mentions.iter().map(|mention| mention.token).chain(quoted).collect();
            let asks = kind == QueryKind::NaturalLanguage || words.len() > 1;
            if asks { directed(&words) } else { Default::default() }
        }
        QueryKind::Path | QueryKind::StackTrace => Default::default(),
    }
}

/// Returns the embedding of a question's words and their sub-tokens, each once.
pub(in crate::search::query) fn directed(words: &[&str]) -> (Question, Vec<(u16, f32)>) {
    let model = embed::builtin();
    let mut asked = model.asked(words.iter().copied());
    let direction = model.bag_of(&asked).question(model);
    asked.sort_unstable();
    asked.dedup();
    (direction, asked.into_iter().map(|number| (number, 1.0)).collect())
}

fn count(token: &str, weight: f32, weights: &Weights, counted: &mut HashMap<String, (f32, bool)>) {
    each_term(token, |term, kind| {
        let (factor, is_part) = match kind {
            TermKind::Part => (weights.part, true),
            TermKind::Compound => (weights.compound, false),
            TermKind::Word => (weights.word, false),
        };
        let entry = counted.entry(term.to_owned()).or_insert((0.0, false));
        entry.0 += weight * factor;
        entry.1 |= is_part;
    });
}

/// Returns the terms sorted by name. If there are too many, keeps those with the highest weight;
/// ties are broken by name.
fn heaviest(counted: HashMap<String, (f32, bool)>) -> Vec<QueryTerm> {
    let mut terms: Vec<QueryTerm> = counted
        .into_iter()
        .map(|(term, (weight, is_part))| QueryTerm { term, weight, is_part, idf: 0.0 })
        .collect();
    if terms.len() > MAX_TERMS {
        terms.sort_unstable_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.term.cmp(&b.term)));
        terms.truncate(MAX_TERMS);
    }
    terms.sort_unstable_by(|a, b| a.term.cmp(&b.term));
    terms
}

/// Returns the terms that every chunk with this phrase must have: for each indexed token, the most
/// specific one.
pub(in crate::search::query) fn required_terms(phrase: &str) -> Vec<String> {
    let mut required = Vec::new();
    for token in tokens(phrase).filter(|t| t.len() <= TOKEN_BYTES && is_keyword(t)) {
        let mut parts = Vec::new();
        let mut whole = None;
        each_term(token, |term, kind| match kind {
            TermKind::Part => parts.push(term.to_owned()),
            TermKind::Compound | TermKind::Word => whole = Some(term.to_owned()),
        });
        match whole {
            Some(whole) => required.push(whole),
            None => required.extend(parts),
        }
    }
    // A phrase could begin or end inside a longer token of the source (`"arse_head"`). An index of
    // words cannot answer that, so a phrase is taken to consist of whole words.
    required.sort_unstable();
    required.dedup();
    required
}

/// A token of the text, with its context.
struct Mention<'t> {
    token: &'t str,
    /// The signs after the token that may belong to its name.
    signs: &'t str,
    qualifier: &'t str,
    symbol_like: bool,
    weight: f32,
}

impl Mention<'_> {
    /// Returns whether the token is one letter, or a number of one or two digits. In a log these
    /// are counters and columns, and their posting lists are the longest of all.
    fn is_noise(&self) -> bool {
        self.token.len() == 1 || (self.token.len() == 2 && self.is_number())
    }

    fn is_number(&self) -> bool {
        self.token.chars().all(|c| c.is_numeric() || c == '_')
    }

    fn symbol(&self) -> SymbolWord {
        let (name, qualifier) = (self.token.to_owned(), self.qualifier.to_owned());
        SymbolWord { written: format!("{name}{}", self.signs), name, qualifier, kinds: &[] }
    }
}

fn mentions<'t>(text: &'t str, is_long: bool, weights: &Weights) -> Vec<Mention<'t>> {
    let mut found = Vec::new();
    let mut fenced = false;
    let mut title_seen = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        let weight = match (is_long, fenced) {
            (false, _) => 1.0,
            (true, true) => weights.fence,
            (true, false) if !title_seen && !trimmed.is_empty() => weights.title,
            (true, false) => 1.0,
        };
        title_seen |= !trimmed.is_empty();
        let mut previous: Option<(usize, usize)> = None;
        for token in tokens(line) {
            let start = offset_in(line, token);
            let end = start + token.len();
            let before = line.get(..start).unwrap_or_default();
            let after = line.get(end..).unwrap_or_default();
            let qualifier = previous
                .filter(|&(_, stop)| matches!(line.get(stop..start), Some("." | "::" | "->" | "#" | "?.")))
                .and_then(|(from, stop)| line.get(from..stop))
                .unwrap_or_default();
            previous = Some((start, end));
            if token.len() > TOKEN_BYTES {
                continue;
            }
            let signs = signs_of_name(after);
            let behind = after.get(signs.len()..).unwrap_or_default();
            let quoted = before.ends_with('`') && (behind.starts_with('`') || behind.starts_with("()`"));
            let is_member = !qualifier.is_empty() && !words::is_extension(&token.to_lowercase());
            // `!` or `?` before a lower-case word does not end a sentence, so it belongs to the
            // name.
            let mut next = behind.chars();
            let marked = matches!(signs, "!" | "?")
                && next.next() == Some(' ')
                && next.next().is_some_and(char::is_lowercase);
            let symbol_like =
                quoted || is_member || marked || behind.starts_with('(') || looks_like_a_name(token);
            found.push(Mention { token, signs, qualifier, symbol_like, weight });
        }
    }
    found
}

/// Returns the signs after a token that end a name in some language (`save!`, `valid?`, `name=`,
/// `operator==`); empty if more of an expression follows.
fn signs_of_name(after: &str) -> &str {
    let end = after.find(|c| !"!?=<>+-*/%&|^~[]".contains(c)).unwrap_or(after.len());
    let (signs, behind) = after.split_at(end);
    let ends = behind.chars().next().is_none_or(|c| c.is_whitespace() || "()`'\",.:;".contains(c));
    // `a?.b`, `std::size_t&)`: signs of an expression or a type.
    if ends && !(signs.ends_with('?') && behind.starts_with('.')) { signs } else { "" }
}

/// Returns whether a token has the shape of a compound identifier.
fn looks_like_a_name(token: &str) -> bool {
    let mut n_parts = 0;
    each_part(token, |_| n_parts += 1);
    if n_parts < 2 || !token.chars().any(char::is_alphabetic) {
        return false;
    }
    let inner = token.trim_matches('_');
    let mut chars = inner.chars();
    chars.next();
    let camel = chars.any(char::is_uppercase) && inner.chars().any(char::is_lowercase);
    inner.contains('_') || camel || (token.starts_with("__") && token.ends_with("__"))
}

/// Maximum number of lines in a Rust panic message without a backtrace: place, reason, and a note
/// on how to get a backtrace.
const MOST_OF_PANIC: usize = 4;

fn kind(text: &str, is_long: bool, paths: &[NamedPath], mentions: &[Mention<'_>]) -> QueryKind {
    let has_line = paths.iter().any(|path| path.line.is_some());
    let is_panic = has_line && text.contains("panicked at ") && text.lines().count() <= MOST_OF_PANIC;
    if is_panic {
        return QueryKind::StackTrace;
    }
    if is_long {
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        let frames = paths.iter().filter(|path| path.line.is_some() || path.function.is_some()).count();
        // A frame takes one line, or two with its source line, so most lines of a trace belong to
        // frames.
        // Frames of the language itself count if there is another.
        let outside =
            if frames > 0 { text.lines().filter(|line| frames::is_outside(line)).count() } else { 0 };
        let frames = frames + outside;
        return if frames >= 2 && frames * 3 >= lines { QueryKind::StackTrace } else { QueryKind::LongText };
    }
    if paths.iter().any(|path| path.function.is_some()) {
        return QueryKind::StackTrace;
    }
    let n_words = text.split_whitespace().count();
    if n_words == 1 && !paths.is_empty() {
        return QueryKind::Path;
    }
    let named = mentions.iter().all(|m| m.symbol_like || !m.qualifier.is_empty());
    let has_scope = mentions.iter().any(|m| !m.qualifier.is_empty());
    if n_words == 1 && (mentions.len() == 1 || has_scope)
        || (n_words <= MAX_IDENTIFIERS && named && n_words > 0)
    {
        QueryKind::Identifier
    } else {
        QueryKind::NaturalLanguage
    }
}

/// Returns the quoted phrases of a text, as written. Hits contain their words, and the caller has
/// to look for the phrases themselves: they are [`Answer::needs_text_check`] of its answer.
pub fn phrases(text: &str) -> Vec<String> {
    // Parsing a long text only to find none would take too long.
    if !text.contains('"') || is_long(text) { Vec::new() } else { parse(text).phrases }
}

#[cfg(test)]
mod tests;

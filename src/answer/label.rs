//! Chooses which of a hit's declarations names it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use bstr::ByteSlice;

use crate::base::text::identifier::tokens;
use crate::index::chunk::{ChunkKind, DeclarationKind, Span};
use crate::index::embed;
use crate::index::embed::kernels::{self, KernelQuestion, Places};
use crate::search::graph::{is_function, is_type};
use crate::search::query::{self, ChunkRef, Direction, Hit, QueryKind, QueryTerm, RelationTarget};
use crate::search::segment::terms::each_term;
use crate::search::segment::{DeclarationView, Index, Part};

use super::relations::question::RelationAnswer;
use super::relations::words::{Remarks, enclosing, mentions};
use super::results::around;

/// Least share of the terms' weight in the declaration that names a group, for another declaration
/// of the group to be named beside it. `rank/order.rs` has the same share for the scores of a
/// file's other chunks. Not measured on its own.
const GROUP_SHARE: f64 = 0.6;

/// The fit of a declaration is divided by this power of its length in bytes: a long one has more of
/// the terms by chance. See `doc/experiments/ranking.md`.
const LENGTH_POWER: f64 = 0.2;

/// Length in bytes up to which declarations count as equally long: in a short one, no term is there
/// by chance. Without it, the shortest of several short functions is named.
const SHORT: usize = 256;

/// Least share of a class's fit to a question that one of its methods has, to be named instead. See
/// the table of functions within files in `doc/experiments/ranking.md`.
const MEMBER_SHARE: f64 = 0.5;

/// Share of its fit that a constant, a variable or a field keeps in a question. It has the words of
/// its name only, and stands before the function that does what is asked. See
/// `doc/experiments/ranking.md`.
const VALUE_SHARE: f64 = 0.5;

/// The context that decides which of a hit's declarations is meant.
pub struct LabelContext {
    kind: QueryKind,
    /// In order of the terms.
    terms: Vec<QueryTerm>,
    relation: Option<RelationTarget>,
    /// By chunk, the declarations at the other end of the references in question, if the source was
    /// read.
    related: HashMap<ChunkRef, BTreeSet<u32>>,
    /// Compares declarations with a long text word by word; `None` for other queries.
    kernels: Option<RefCell<KernelQuestion<'static>>>,
    /// By token that a weighed text has, the positions of its terms in `terms`. Most tokens come
    /// again in the next declaration.
    found: RefCell<hashbrown::HashMap<Box<str>, Box<[usize]>>>,
    /// By declaration, its fit before the ratings of a long text: a group is weighed to name it,
    /// and again for its other declarations.
    weighed: RefCell<HashMap<(Part, u32), f64>>,
}

impl LabelContext {
    /// From a search's answer.
    pub fn new(answer: &query::Answer) -> Self {
        let kind = answer.query_kind;
        let mut terms = answer.terms.clone();
        terms.sort_by(|a, b| a.term.cmp(&b.term));
        let kernels = (kind == QueryKind::LongText)
            .then(|| KernelQuestion::new(kernels::of_long_texts(), answer.asked.iter().copied()));
        let kernels = kernels.filter(|asked| !asked.is_empty()).map(RefCell::new);
        Self {
            kind,
            terms,
            relation: answer.relation.clone(),
            related: HashMap::new(),
            kernels,
            found: RefCell::default(),
            weighed: RefCell::default(),
        }
    }

    /// Names results by the declarations that a question for references asks for.
    #[must_use]
    pub(crate) fn with_relation(mut self, found: Option<RelationAnswer>) -> Self {
        self.related = found.map(|found| found.declarations).unwrap_or_default();
        self
    }

    /// The symbol path of the declaration that a hit with several means; `None` if the hit's own
    /// symbol is right. `text` is its file's.
    pub fn symbol(&self, index: &Index<'_>, hit: &Hit, text: &str) -> Option<String> {
        let segment = index.segment(hit.chunk.part)?;
        self.declaration(index, hit, text).map(|ord| segment.symbol_path(ord))
    }

    /// Like [`LabelContext::symbol`], as its ordinal in the hit's segment.
    pub(crate) fn declaration(&self, index: &Index<'_>, hit: &Hit, text: &str) -> Option<u32> {
        let around = around(index, hit.path.as_bstr(), &hit.span);
        let named = self.named(hit, &around, Some(text))?;
        around.get(named).map(|one| one.ord)
    }

    /// Which of the declarations around a hit is meant. A long text is seldom about a whole class:
    /// for a small class, the method that fits best is named.
    pub(crate) fn named(
        &self,
        hit: &Hit,
        around: &[DeclarationView<'_>],
        text: Option<&str>,
    ) -> Option<usize> {
        if let Some(related) = self.related.get(&hit.chunk) {
            let first = related.first()?;
            return around.iter().position(|one| one.ord == *first);
        }
        if let Some(user) = text.and_then(|text| self.user(&hit.span, around, text)) {
            return Some(user);
        }
        let is_long = self.kind.is_long();
        let runs = |kind: DeclarationKind| {
            matches!(kind, DeclarationKind::Function | DeclarationKind::Method | DeclarationKind::Constructor)
        };
        let names_function = hit.declaration_kind.is_none_or(runs);
        // The declaration around a line that the query names.
        if let Some(&line) =
            hit.lines.first().filter(|_| hit.chunk_kind == ChunkKind::Group || !names_function)
        {
            let has_line = |one: &DeclarationView<'_>| {
                (one.row.span.start_line..=one.row.span.end_line).contains(&line) && begins(one, &hit.span)
            };
            let is_trace = self.kind == QueryKind::StackTrace;
            let is_meant = |one: &DeclarationView<'_>| {
                runs(one.row.kind) && has_line(one) && (is_trace || !is_local(one, &hit.span))
            };
            let innermost = around.iter().rposition(is_meant);
            // A line of no function: the key, the constant or the type that has it.
            let innermost = innermost
                .or_else(|| around.iter().rposition(|one| has_line(one) && !is_local(one, &hit.span)));
            if innermost.is_some() {
                return innermost;
            }
        }
        let named = match (hit.chunk_kind, hit.named) {
            (_, Some(ord)) => around.iter().position(|one| one.ord == ord),
            (ChunkKind::Group, None) => {
                let best = self.best_fit(around, &hit.span, text?, |_| true);
                let class = best.and_then(|at| around.get(at)).filter(|one| is_type(one.row.kind));
                let member =
                    class.and_then(|one| self.telling_member(around, hit, &one.symbol_path(), text?));
                member.or(best)
            }
            _ if is_long && !names_function || hit.symbol.is_empty() => self
                .best_fit(around, &hit.span, text?, |one| runs(one.row.kind))
                .or_else(|| holder_of_start(around, hit)),
            _ => match holder_of_start(around, hit) {
                Some(holder) => Some(self.continued(around, hit, holder, text)),
                None if hit.declaration_kind == Some(DeclarationKind::Module) => {
                    held_by_module(around, &hit.span)
                }
                None if hit.declaration_kind.is_some_and(is_type) => {
                    self.telling_member(around, hit, &hit.symbol, text?)
                }
                None => None,
            },
        };
        let holder = named.and_then(|at| around.get(at)).filter(|one| is_long && !runs(one.row.kind));
        let (Some(holder), Some(text)) = (holder, text) else { return named };
        let is_method = |one: &DeclarationView<'_>| runs(one.row.kind) && lies_in(one, holder);
        self.best_fit(around, &hit.span, text, is_method).or(named)
    }

    /// Returns the declarations of a hit at the other end of the references in question, by start;
    /// `None` if the hit is not known to have one. Empty if the reference stands outside of any.
    pub(crate) fn related(&self, hit: &Hit) -> Option<&BTreeSet<u32>> {
        self.related.get(&hit.chunk)
    }

    /// The other declarations around a group of them that have nearly as many of the query's terms
    /// as the one that names it, best first.
    pub(crate) fn others_in_group(
        &self,
        hit: &Hit,
        around: &[DeclarationView<'_>],
        named: Option<usize>,
        text: &str,
    ) -> Vec<usize> {
        let (ChunkKind::Group, Some(named)) = (hit.chunk_kind, named) else { return Vec::new() };
        let mut fits = self.fits(around, &hit.span, text, |_| true);
        let of_named = fits.iter().find(|(_, at)| *at == named).map_or(0.0, |(value, _)| *value);
        fits.retain(|(value, at)| *at != named && *value >= of_named * GROUP_SHARE);
        fits.sort_by(|a, b| b.0.total_cmp(&a.0));
        fits.into_iter().map(|(_, at)| at).collect()
    }

    /// For a question, the method of a class that has most of the terms that the class has, if it
    /// starts in the chunk. In Go and Rust, it stands beside the class. `None` if the question is
    /// about the class as a whole.
    fn telling_member(
        &self,
        around: &[DeclarationView<'_>],
        hit: &Hit,
        class: &str,
        text: &str,
    ) -> Option<usize> {
        if self.kind != QueryKind::NaturalLanguage {
            return None;
        }
        let fits = self.fits(around, &hit.span, text, |_| true);
        let path = |at: usize| around.get(at).map(DeclarationView::symbol_path).unwrap_or_default();
        let whole = fits.iter().find(|(_, at)| path(*at) == class)?;
        let is_method = |at: usize| {
            let is_inside = |rest: &str| rest.starts_with(|c: char| !c.is_alphanumeric() && c != '_');
            around.get(at).is_some_and(|one| is_function(one.row.kind))
                && path(at).strip_prefix(class).is_some_and(is_inside)
        };
        let methods = fits.iter().filter(|(value, at)| *value >= whole.0 * MEMBER_SHARE && is_method(*at));
        best(methods.copied())
    }

    /// For a chunk in the middle of a type or module, its `holder`. For a question, the method in
    /// the chunk that has most of the terms that the chunk has.
    fn continued(
        &self,
        around: &[DeclarationView<'_>],
        hit: &Hit,
        holder: usize,
        text: Option<&str>,
    ) -> usize {
        let method = text.filter(|_| self.kind == QueryKind::NaturalLanguage).and_then(|text| {
            let name = around.get(holder).map_or("", DeclarationView::name);
            let body = hit.span.bytes.of(text);
            let whole = (self.weigh(body) + self.weigh(name)) * per_length(body);
            let mut fits = self.fits(around, &hit.span, text, |one| is_function(one.row.kind));
            fits.retain(|(value, _)| *value >= whole * MEMBER_SHARE);
            best(fits.into_iter())
        });
        method.unwrap_or(holder)
    }

    /// The declaration that uses the symbol in a "who uses X" query, if it is another one: the
    /// innermost around its first use in the chunk.
    fn user(&self, chunk: &Span, around: &[DeclarationView<'_>], text: &str) -> Option<usize> {
        let asked = self.relation.as_ref().filter(|one| one.direction == Direction::Incoming)?;
        let code = || around.iter().copied().filter(|one| one.row.kind != DeclarationKind::Key);
        let language = around.first().map_or("", |one| one.file.language());
        let used = mentions(text, &Remarks::of(language), chunk.bytes, &asked.name, asked.kind);
        used.into_iter().find_map(|(at, _)| {
            let user = enclosing(code(), |span| span.bytes.contains(at))?;
            around.iter().position(|one| one.ord == user.ord).filter(|_| user.name() != asked.name)
        })
    }

    /// The declaration that starts in a chunk and has most of the terms. The first of equals;
    /// `None` if none has any.
    fn best_fit(
        &self,
        around: &[DeclarationView<'_>],
        chunk: &Span,
        text: &str,
        admits: impl Fn(&DeclarationView<'_>) -> bool,
    ) -> Option<usize> {
        best(self.fits(around, chunk, text, admits).into_iter())
    }

    /// How many of the terms each declaration has that starts in a chunk, for those that have any.
    /// Rare terms count more, terms in a name twice, and those of a long declaration less. The
    /// index does not know which declaration a term is in, so the text is read.
    fn fits(
        &self,
        around: &[DeclarationView<'_>],
        chunk: &Span,
        text: &str,
        admits: impl Fn(&DeclarationView<'_>) -> bool,
    ) -> Vec<(f64, usize)> {
        let value = |one: &DeclarationView<'_>| {
            let key = (one.file.part, one.ord);
            *self.weighed.borrow_mut().entry(key).or_insert_with(|| self.fit(one, text))
        };
        let may_be = |one: &DeclarationView<'_>| begins(one, chunk) && admits(one) && !is_local(one, chunk);
        let fits = around.iter().enumerate().filter(|(_, one)| may_be(one)).map(|(at, one)| (value(one), at));
        let mut fits: Vec<(f64, usize)> = fits.filter(|(value, _)| *value > 0.0).collect();
        self.weigh_by_rating(&mut fits, around, text);
        fits
    }

    /// How many of the terms one declaration has.
    fn fit(&self, one: &DeclarationView<'_>, text: &str) -> f64 {
        let body = one.row.span.bytes.of(text);
        let doc = self.weigh(one.row.doc.of(text)) / 2.0;
        let fit = (self.weigh(body) + doc + self.weigh(one.name())) * per_length(body);
        if self.lowers(one.row.kind) { fit * VALUE_SHARE } else { fit }
    }

    /// Whether the declarations of a kind are seldom what is asked for: values, in a question that
    /// does not ask for a default.
    fn lowers(&self, kind: DeclarationKind) -> bool {
        let is_value =
            matches!(kind, DeclarationKind::Constant | DeclarationKind::Variable | DeclarationKind::Field);
        let asks_for_default = || self.terms.iter().any(|term| term.term == "default");
        is_value && self.kind == QueryKind::NaturalLanguage && !asks_for_default()
    }

    /// The sum of the weights of the terms that a text has.
    fn weigh(&self, text: &str) -> f64 {
        let mut known = self.found.borrow_mut();
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for token in tokens(text) {
            match known.get(token) {
                Some(places) => found.extend(places),
                None => {
                    let places = self.places_of(token);
                    found.extend(&places);
                    known.insert(token.into(), places);
                }
            }
        }
        let terms = found.into_iter().filter_map(|at| self.terms.get(at));
        terms.map(|term| f64::from(term.weight * term.idf)).sum()
    }

    /// The positions in `terms` of the terms of a token.
    fn places_of(&self, token: &str) -> Box<[usize]> {
        let mut places = Vec::new();
        each_term(token, |term, _| {
            places.extend(self.terms.binary_search_by(|known| known.term.as_str().cmp(term)));
        });
        places.into()
    }

    /// For a long text, multiplies each fit by the odds that the declaration answers, relative to
    /// those of the best.
    fn weigh_by_rating(&self, fits: &mut [(f64, usize)], around: &[DeclarationView<'_>], text: &str) {
        let Some(kernels) = self.kernels.as_ref().filter(|_| fits.len() > 1) else { return };
        let rate = |at: usize| {
            let words = around.get(at).map(|one| sub_tokens(one, text));
            kernels.borrow_mut().rate(words.into_iter().flatten())
        };
        let ratings: Vec<f64> = fits.iter().map(|(_, at)| rate(*at)).collect();
        let highest = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for ((value, _), rating) in fits.iter_mut().zip(ratings) {
            *value *= (rating - highest).exp();
        }
    }
}

/// The sub-tokens of a declaration with their places in it.
fn sub_tokens(one: &DeclarationView<'_>, text: &str) -> BTreeMap<u16, Places> {
    let model = embed::builtin();
    let mut places: BTreeMap<u16, Places> = BTreeMap::new();
    let mut count = |text: &str, in_head: bool| {
        for number in model.asked(tokens(text)) {
            places.entry(number).or_default().count(in_head);
        }
    };
    count(one.name(), true);
    count(one.row.signature.of(text), true);
    count(one.row.span.bytes.of(text), false);
    count(one.row.doc.of(text), false);
    places
}

/// The place with the highest value; the first of equals.
fn best(fits: impl Iterator<Item = (f64, usize)>) -> Option<usize> {
    let better = |best: (f64, usize), one: (f64, usize)| if one.0 > best.0 { one } else { best };
    fits.reduce(better).map(|(_, at)| at)
}

/// The factor for the length of a text.
fn per_length(text: &str) -> f64 {
    (text.len().max(SHORT) as f64).powf(-LENGTH_POWER)
}

/// If a hit begins in the middle of the type or module that it is named by: the innermost type or
/// module around its start.
fn holder_of_start(around: &[DeclarationView<'_>], hit: &Hit) -> Option<usize> {
    let holds = |kind: DeclarationKind| is_type(kind) || kind == DeclarationKind::Module;
    let start = hit.span.bytes.start;
    let named = around.iter().find(|one| one.symbol_path() == hit.symbol && holds(one.row.kind))?;
    let is_around = |one: &DeclarationView<'_>| {
        holds(one.row.kind) && one.row.span.bytes.start < start && one.row.span.bytes.end > start
    };
    is_around(named).then(|| around.iter().rposition(is_around)).flatten()
}

/// Whether a declaration starts in a chunk.
fn begins(one: &DeclarationView<'_>, chunk: &Span) -> bool {
    chunk.bytes.contains(one.row.span.bytes.start)
}

/// Whether a declaration is inside another.
fn lies_in(inner: &DeclarationView<'_>, outer: &DeclarationView<'_>) -> bool {
    let (inner, outer) = (&inner.row.span.bytes, &outer.row.span.bytes);
    outer.start < inner.start && inner.end <= outer.end
}

/// Whether a declaration is inside a function that also starts in a chunk.
fn is_local(one: &DeclarationView<'_>, chunk: &Span) -> bool {
    query::around_local(one.file.segment, one.ord, chunk) != one.ord
}

/// For a chunk that starts with a module: if all of it is one declaration (a class in its
/// namespace), that declaration, and so on inwards.
fn held_by_module(around: &[DeclarationView<'_>], chunk: &Span) -> Option<usize> {
    let is_module = |one: &DeclarationView<'_>| one.row.kind == DeclarationKind::Module;
    let first = around.iter().position(|one| begins(one, chunk) && is_module(one))?;
    let mut inner = first;
    loop {
        let outer = around.get(inner)?;
        let mut inside =
            (0..).zip(around).filter(|(_, one)| begins(one, chunk) && one.row.parent == Some(outer.ord));
        match (inside.next(), inside.next()) {
            (Some((at, _)), None) if is_module(outer) => inner = at,
            _ => return Some(inner).filter(|inner| *inner != first),
        }
    }
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;
    use crate::search::query::{Query, search};
    use crate::search::segment::samples::{sized_sources, sources};

    const LISTENER: &str = "class LoginListener:\n    \"\"\"Listens.\"\"\"\n\n    \
        def check(self, passport):\n        \"\"\"Blocks too many failed logins.\"\"\"\n        raise Blocked(passport)\n\n    \
        def reset(self):\n        self.count = 0\n";

    /// Returns the name of the first hit of a question.
    fn name(text: &str) -> String {
        let segment = sources(&[("listener.py", LISTENER)]);
        let index = Index::whole(&segment);
        let answer = search(&index, &Query::new(text)).unwrap();
        let context = LabelContext::new(&answer);
        let hit = &answer.hits[0];
        assert_eq!(hit.path.as_bstr(), "listener.py");
        context.symbol(&index, hit, LISTENER).unwrap_or_else(|| hit.symbol.clone())
    }

    #[test]
    fn a_question_names_the_method_of_a_small_class_that_it_is_about() {
        assert_eq!(name("where are too many failed logins blocked"), "LoginListener.check");
        // If only the class shares words with the question, the question is about the class.
        assert_eq!(name("what does the login listener listen to"), "LoginListener");
        assert_eq!(name("LoginListener"), "LoginListener");
    }

    /// Returns the names of the hits of a question in one file, each with its lines.
    fn names(path: &str, source: &str, text: &str) -> Vec<(u32, u32, String)> {
        let segment = sources(&[(path, source)]);
        let index = Index::whole(&segment);
        let answer = search(&index, &Query { all_chunks: true, ..Query::new(text) }).unwrap();
        let context = LabelContext::new(&answer);
        let name = |hit: &Hit| context.symbol(&index, hit, source).unwrap_or_else(|| hit.symbol.clone());
        let mut names: Vec<_> =
            answer.hits.iter().map(|hit| (hit.span.start_line, hit.span.end_line, name(hit))).collect();
        names.sort_unstable();
        names
    }

    /// Checks the name of the first hit of each question about one file with large chunks.
    fn check_first(path: &str, source: &str, expected: &[(&str, &str)]) {
        let segment = sized_sources(&[(path, source)], 2048);
        let index = Index::whole(&segment);
        for (asked, expected) in expected {
            let answer = search(&index, &Query::new(*asked)).unwrap();
            let hit = &answer.hits[0];
            let name = LabelContext::new(&answer).symbol(&index, hit, source);
            assert_eq!(name.unwrap_or_else(|| hit.symbol.clone()), *expected, "{asked}");
        }
    }

    #[test]
    fn a_group_of_a_type_and_its_methods_is_named_by_the_method_that_a_question_is_about() {
        let source = "type Lease struct {\n\t// expiry is time when lease should expire\n\texpiry time.Time\n\titems []Item\n}\n\n\
            func (l *Lease) expired() bool {\n\treturn l.Remaining() <= 0\n}\n\n\
            func (l *Lease) Keys() []string {\n\treturn keysOf(l.items)\n}\n";
        let expected = [
            ("how does a lease expire", "Lease.expired"),
            ("where are the items of a lease stored until expiry time", "Lease"),
            ("Lease", "Lease"),
        ];
        check_first("lessor.go", source, &expected);
    }

    #[test]
    fn a_group_of_short_functions_is_named_by_the_one_with_most_words() {
        let source = "func copyOwner(from, to string) error {\n\treturn chown(from, to)\n}\n\n\
            func isConflict(name string) bool {\n\treturn contains(name, \".conflict-\")\n}\n\n\
            func conflictName(name, by string) string {\n\text := extension(name)\n\t\
            return name[:len(name)-len(ext)] + now().Format(\".conflict-2006-\") + by + ext\n}\n";
        let expected = [
            ("where is the conflict copy named", "conflictName"),
            ("where is the owner copied", "copyOwner"),
            ("does it contain a conflict", "isConflict"),
        ];
        check_first("folder.go", source, &expected);
    }

    #[test]
    fn a_function_names_a_group_before_a_value_with_hardly_more_words() {
        let source = "var conflictMarker = \".conflict-\"\n\n\
            func renameCopy(name string) string {\n\treturn name + suffix() + now()\n}\n";
        let expected = [
            ("how is a copy in conflict given a name by a marker", "renameCopy"),
            ("what is the default marker of a conflict", "conflictMarker"),
            ("conflictMarker", "conflictMarker"),
        ];
        check_first("folder.go", source, &expected);
    }

    #[test]
    fn a_part_of_a_class_is_not_named_by_the_module_around_it() {
        let source = "module Shop # :nodoc:\n  class Fetcher\n    include Shop::Part\n    include Shop::Other\n\n    \
            TIMEOUT = 2\n\n    def take_piece\n      @pieces.pop\n    end\n\n    \
            def put_back(pieces)\n      pieces.each { |one| @pieces.push(one) }\n    end\n  end\nend\n";
        for (asked, expected) in [
            ("where is a piece taken", "Shop::Fetcher::take_piece"),
            ("where are pieces put back", "Shop::Fetcher::put_back"),
        ] {
            let names = names("fetch.rb", source, asked);
            assert!(names.iter().all(|one| one.2 != "Shop"), "{names:?}");
            assert!(names.iter().any(|one| one.2 == expected), "{names:?}");
        }
    }
}

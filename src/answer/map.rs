//! A map: the declarations that matter most in a repository, for a question, or around the files in
//! hand.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::view::labels;
use super::view::{Outline, OutlineItem};
use crate::base::progress::Task;
use crate::base::text::{head, path, quoted};
use crate::index::chunk::{ChunkKind, DeclarationKind};
use crate::search::graph::{DeclarationRef, Graph, Spread};
use crate::search::query::{self, Filters, Pathspec, Query, SideSignals, admits};
use crate::search::segment::{ChunkRef, DeclarationRow, DeclarationView, FileView};

use super::introduction::{FileNeeds, Sources, introduce};
use super::label::LabelContext;
use crate::search::cache::LazyCommitMessages;
use crate::search::{Error, OutsideModels, Result, Searcher};

/// Maximum number of hits of the question that are ranked.
const HITS: usize = 300;
/// Number of best hits whose references are followed.
const SEEDS: usize = 20;
// The weights below order an outline. No set of questions has known outlines, so none is measured:
// each only says what comes before what.

/// Weight of a place found by references, relative to the hit: it counts like a hit in the middle
/// of the list.
const BY_REFERENCE: f64 = 0.5;
/// Maximum number of declarations of the whole repository that are ranked by references to them.
const IMPORTANT: usize = 1000;
/// Weight of those declarations of a hit that fit the question less well than its best: more than
/// what is found by references.
const BESIDE: f64 = 0.7;
/// Factor of declarations that are there for their importance alone. They are also scaled by the
/// worst of those that fit the question, so they come after all of these.
const BEHIND: f64 = 0.9;
/// Weight of helpers, so that they do not come before what they help: all code refers to them.
const UTILITY: f64 = 0.5;
/// Weight of what needs nothing else of the repository, such as lists and strings; and of types
/// among helpers.
const LEAF: f64 = 0.7;
/// Weight of what only examples have.
const EXAMPLE: f64 = 0.1;
/// Names of files and folders of helpers.
const UTILITIES: [&str; 15] = [
    "assert", "common", "compat", "debug", "helper", "helpers", "log", "logger", "logging", "macros",
    "malloc", "misc", "util", "utils", "xmalloc",
];
/// Words of a declaration that gives a type of the language another name.
const BASIC_TYPES: [&str; 20] = [
    "bool", "char", "const", "double", "float", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long",
    "short", "signed", "size_t", "typedef", "uint32_t", "uint64_t", "uint8_t", "unsigned", "void",
];
/// Maximum bytes of a signature that are shown.
const SIGNATURE_BYTES: usize = 120;

/// A query for a map.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct MapQuery {
    /// A question, or nothing.
    pub text: String,
    /// Files in hand: their references in both directions come first, and they themselves are left
    /// out.
    pub files: Vec<BString>,
    /// Pathspecs of the files that may be in it; none admits all.
    pub paths: Vec<String>,
    /// Languages, by name; none admits all.
    pub languages: Vec<String>,
    /// Kinds of declarations, by name; none admits all.
    pub kinds: Vec<String>,
    /// Maximum number of declarations, from the budget.
    pub limit: usize,
}

impl MapQuery {
    /// Asks for at most `limit` declarations of the whole repository.
    pub fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Sets the question that the map is for.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// Sets the files in hand, from the root of the repository.
    #[must_use]
    pub fn with_files(mut self, files: Vec<BString>) -> Self {
        self.files = files;
        self
    }

    /// Sets the pathspecs of the files that may be in the map.
    #[must_use]
    pub fn with_paths(mut self, paths: Vec<String>) -> Self {
        self.paths = paths;
        self
    }

    /// Sets the languages, by name.
    #[must_use]
    pub fn with_languages(mut self, languages: Vec<String>) -> Self {
        self.languages = languages;
        self
    }

    /// Sets the kinds of declarations, by name.
    #[must_use]
    pub fn with_kinds(mut self, kinds: Vec<String>) -> Self {
        self.kinds = kinds;
        self
    }
}

/// The declarations of a map, best first; `view::outline` keeps as many as the budget holds.
///
/// # Errors
/// [`crate::search::Error::Query`] for filters that make no sense;
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn map(
    searcher: &Searcher,
    models: &dyn OutsideModels,
    map: &MapQuery,
    task: Task<'_>,
) -> Result<Outline> {
    let index = searcher.index();
    let graph = Graph::new(&index);
    let specs: Vec<Pathspec> = map
        .paths
        .iter()
        .map(|spec| Pathspec::parse(spec))
        .collect::<std::result::Result<_, query::Error>>()?;
    let mut drawer = MapWriter { searcher, map, specs, graph: &graph, texts: HashMap::new() };
    let mut weights: BTreeMap<DeclarationRef, f64> = BTreeMap::new();
    let has_question = !map.text.trim().is_empty();
    if has_question {
        drawer.by_question(models, &mut weights, task)?;
    }
    let is_missed = has_question && weights.is_empty();
    if !map.files.is_empty() {
        drawer.by_files(&mut weights)?;
    }
    let is_whole = map.is_of_everything();
    let mut introduction = None;
    let asked = weights.values().copied().fold(f64::INFINITY, f64::min).min(1.0);
    if weights.len() < map.limit {
        let important = graph.important(IMPORTANT, |at| drawer.is_shown(at))?;
        let most = important.first().map_or(1.0, |one| one.1);
        let mut needs = FileNeeds::new(&graph);
        let mut ranked: Vec<(DeclarationRef, f64)> = Vec::new();
        for (at, weight) in important {
            ranked.push((at, weight * drawer.standing(at, &mut needs) / most));
        }
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        if is_whole {
            let best: Vec<DeclarationRef> = ranked.iter().map(|one| one.0).collect();
            let mut read = |path: &BStr| drawer.text(path);
            introduction = Some(introduce(&graph, &best, &mut needs, Sources::new(&mut read)));
        }
        for (at, weight) in ranked {
            // Fills the remaining room.
            weights.entry(at).or_insert(BEHIND * asked * weight);
        }
    }
    if weights.is_empty() {
        // A small repository without references between files: all of it, in order.
        let all = drawer.shown().into_iter().take(map.limit);
        weights.extend(all.zip(1..).map(|(at, n)| (at, 1.0 / f64::from(n))));
    }
    Ok(Outline { is_missed, introduction, ..drawer.outline(weights) })
}

impl MapQuery {
    /// Whether it asks for the whole repository.
    fn is_of_everything(&self) -> bool {
        let Self { text, files, paths, languages, kinds, limit: _ } = self;
        text.trim().is_empty()
            && files.is_empty()
            && paths.is_empty()
            && languages.is_empty()
            && kinds.is_empty()
    }
}

struct MapWriter<'d, 'i, 's> {
    searcher: &'d Searcher,
    map: &'d MapQuery,
    specs: Vec<Pathspec>,
    graph: &'d Graph<'i, 's>,
    texts: HashMap<BString, Option<Arc<str>>>,
}

impl<'s> MapWriter<'_, '_, 's> {
    fn text(&mut self, path: &BStr) -> Option<Arc<str>> {
        let read = || self.searcher.text(path);
        self.texts.entry(path.to_owned()).or_insert_with(read).clone()
    }

    fn is_in_hand(&self, file: &FileView<'_>) -> bool {
        self.map.files.iter().any(|path| path == file.path())
    }

    /// A factor for how much of the repository hangs on a declaration, rather than on what any
    /// program has: logging, memory, lists.
    fn standing(&mut self, at: DeclarationRef, needs: &mut FileNeeds<'_, '_, 's>) -> f64 {
        let Some((file, row)) = self.graph.declaration(at) else { return 1.0 };
        if file.flags().is_example() {
            return EXAMPLE;
        }
        let is_alias = row.kind == DeclarationKind::Type
            && self.text(file.path()).is_some_and(|text| names_basic_type(row.signature.of(&text)));
        if row.kind == DeclarationKind::Macro || is_alias {
            return UTILITY;
        }
        let by_place = match (is_utility_file(file.path()), self.graph.is_type(at)) {
            (false, _) => 1.0,
            (true, true) => LEAF,
            (true, false) => UTILITY,
        };
        if needs.of(&file).is_empty() { LEAF * by_place } else { by_place }
    }

    /// Whether a declaration may be in the map. Tests are left out unless the question finds them.
    fn is_shown(&self, at: DeclarationRef) -> bool {
        self.graph.declaration(at).is_some_and(|(file, row)| {
            self.admits(&file, &row) && !file.flags().is_test() && !file.is_of_others()
        })
    }

    /// All declarations that may be in the map and have a line there; outer ones first, by path and
    /// place.
    fn shown(&self) -> Vec<DeclarationRef> {
        let mut all: Vec<_> = self
            .graph
            .index()
            .declarations()
            .map(|one| (one, DeclarationRef { part: one.file.part, ord: one.ord }))
            .filter(|(one, at)| has_line(one.row.kind) && self.is_shown(*at))
            .map(|(one, at)| (one.row.parent.is_some(), one.file.path(), one.row.span.bytes.start, at))
            .collect();
        all.sort();
        all.into_iter().map(|one| one.3).collect()
    }

    fn admits(&self, file: &FileView<'_>, row: &DeclarationRow) -> bool {
        let kind = query::declaration_kind_name(row.kind);
        !self.is_in_hand(file)
            && (self.specs.is_empty() || admits(&self.specs, file.path()))
            && (self.map.languages.is_empty() || self.map.languages.iter().any(|one| one == file.language()))
            && (self.map.kinds.is_empty() || self.map.kinds.iter().any(|one| one == kind))
    }

    /// The results of a search for the question, and their references.
    fn by_question(
        &mut self,
        models: &dyn OutsideModels,
        weights: &mut BTreeMap<DeclarationRef, f64>,
        task: Task<'_>,
    ) -> Result<()> {
        let filters = Filters {
            paths: self.map.paths.clone(),
            languages: self.map.languages.clone(),
            ..Filters::default()
        };
        let question = Query { limit: HITS, filters, also: false, ..Query::new(&self.map.text) };
        let index = self.graph.index();
        let mut warnings = Vec::new();
        let cosines = models.cosines(self.searcher, index, &question.text, &mut warnings, task);
        let history = LazyCommitMessages::new(self.searcher, task);
        let beside =
            SideSignals { cosines: cosines.as_ref(), history: Some(&history), ..SideSignals::default() };
        let answer = query::search_by(index, &question, beside)?;
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let asked = LabelContext::new(&answer);
        let n = answer.hits.len();
        for (at, hit) in answer.hits.iter().enumerate() {
            // The order of hits is more informative than their scores: a file's best chunk comes
            // before its others.
            let worth = share(n - at, n);
            let text = self.text(hit.path.as_bstr());
            let named = text.and_then(|text| asked.declaration(index, hit, &text));
            for ord in self.declared(hit.chunk) {
                let one = DeclarationRef { part: hit.chunk.part, ord };
                let is_best = named.is_none_or(|named| named == ord);
                let worth = if is_best { worth } else { worth * BESIDE };
                let known = weights.entry(one).or_default();
                *known = known.max(worth);
            }
        }
        let seeds: Vec<(ChunkRef, f64)> =
            answer.hits.iter().take(SEEDS).map(|hit| (hit.chunk, hit.score)).collect();
        self.spread(&seeds, Spread { forward: 1.0, referrers: 0, ..Spread::default() }, weights)
    }

    /// References from and to the files in hand.
    fn by_files(&mut self, weights: &mut BTreeMap<DeclarationRef, f64>) -> Result<()> {
        let mut seeds = Vec::new();
        for path in &self.map.files {
            let Some(file) = self.graph.index().file_by_path(path.as_bstr()) else { continue };
            let chunks = file.segment.chunks_of(file.ord);
            seeds.extend(chunks.map(|ord| (ChunkRef { part: file.part, ord }, 1.0)));
        }
        // The weight is divided among the chunks.
        let least = 1e-3 / share(seeds.len().max(1), 1);
        self.spread(&seeds, Spread { least, pushes: 400, ..Spread::default() }, weights)
    }

    fn spread(
        &mut self,
        seeds: &[(ChunkRef, f64)],
        spread: Spread,
        weights: &mut BTreeMap<DeclarationRef, f64>,
    ) -> Result<()> {
        if seeds.is_empty() {
            return Ok(());
        }
        let reached = spread.run(self.graph, seeds)?;
        let most = reached.iter().map(|one| one.1).fold(f64::MIN_POSITIVE, f64::max);
        for (chunk, weight) in reached {
            for ord in self.declared(chunk) {
                let one = weights.entry(DeclarationRef { part: chunk.part, ord }).or_default();
                *one = one.max(BY_REFERENCE * weight / most);
            }
        }
        Ok(())
    }

    /// The declarations of a chunk: those that start in it, or the one that it is a part of.
    fn declared(&self, chunk: ChunkRef) -> Vec<u32> {
        let Some(segment) = self.graph.index().segment(chunk.part) else { return Vec::new() };
        let shown = |ord: &u32| segment.declaration(*ord).is_some_and(|row| has_line(row.kind));
        let inside: Vec<u32> = segment.declarations_in(chunk.ord).filter(shown).collect();
        let row = segment.chunk(chunk.ord);
        match row
            .filter(|row| inside.is_empty() || row.kind == ChunkKind::Part)
            .and_then(|row| row.declaration)
        {
            Some(around) if !inside.contains(&around) => vec![around],
            _ => inside,
        }
    }

    fn outline(&mut self, weights: BTreeMap<DeclarationRef, f64>) -> Outline {
        let mut ranked: Vec<(f64, BString, u32, DeclarationRef)> = Vec::new();
        for (at, weight) in weights {
            let Some((file, row)) = self.graph.declaration(at) else { continue };
            if weight > 0.0 && self.admits(&file, &row) {
                ranked.push((weight, file.path().to_owned(), row.span.bytes.start, at));
            }
        }
        ranked.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| (&a.1, a.2, a.3.ord).cmp(&(&b.1, b.2, b.3.ord)))
        });
        let mut places: HashMap<DeclarationRef, usize> = HashMap::new();
        let n_more = ranked.len().saturating_sub(self.map.limit);
        ranked.truncate(self.map.limit);
        let mut outline = Outline { n_ranked: ranked.len(), n_more, ..Outline::default() };
        let mut rows = Vec::new();
        for (weight, _, _, at) in ranked {
            places.insert(at, rows.len());
            rows.push((at, weight));
        }
        let mut next = 0;
        while let Some(&(at, weight)) = rows.get(next) {
            next += 1;
            let Some((file, row)) = self.graph.declaration(at) else { continue };
            let inside = row.parent.map(|parent| DeclarationRef { part: at.part, ord: parent });
            let inside = inside.map(|parent| {
                *places.entry(parent).or_insert_with(|| {
                    rows.push((parent, 0.0));
                    rows.len() - 1
                })
            });
            let view = DeclarationView { file, ord: at.ord, row };
            let text = self.text(file.path());
            outline.items.push(OutlineItem {
                path: quoted(file.path()).into_owned(),
                line: row.name_line,
                end_line: row.span.end_line,
                kind: labels::declaration_kind(row.kind),
                signature: signature(&view, text.as_deref()),
                symbol: view.symbol_path(),
                weight,
                inside,
            });
        }
        outline
    }
}

/// Whether a file is named for helpers, logging, memory or compatibility.
fn is_utility_file(path: &BStr) -> bool {
    let stem = path::stem(path).to_ascii_lowercase();
    let folder = path::name(path::parent(path)).to_ascii_lowercase();
    let is_utility =
        |word: &[u8]| word.ends_with(b"compat") || UTILITIES.iter().any(|known| word == known.as_bytes());
    is_utility(&stem) || is_utility(&folder)
}

/// Whether the signature of a type only gives a type of the language another name: `typedef long
/// long mstime_t`.
fn names_basic_type(signature: &str) -> bool {
    let mut words: Vec<&str> =
        signature.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    words.pop();
    words.first() == Some(&"typedef") && words.iter().all(|word| BASIC_TYPES.contains(word))
}

/// Whether a declaration has its own line in a map: nested values do not.
fn has_line(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    !matches!(kind, K::Field | K::Variant | K::Key | K::Rule | K::Element)
}

/// The keyword of a declaration in Go whose group has it: `type ( LeaseID int64 … )`.
fn keyword_of_group(language: &str, kind: DeclarationKind, line: &str) -> Option<&'static str> {
    use DeclarationKind as K;
    let keyword = match kind {
        K::Type | K::Struct | K::Interface => "type ",
        K::Constant => "const ",
        K::Variable => "var ",
        _ => return None,
    };
    (language == "go" && !line.starts_with(keyword)).then_some(keyword)
}

/// A declaration's signature in one line.
fn signature(one: &DeclarationView<'_>, text: Option<&str>) -> String {
    let said = text.map(|text| one.row.signature.of(text)).unwrap_or_default();
    let mut line = said.split_whitespace().collect::<Vec<&str>>().join(" ");
    let cut = line.trim_end_matches(['{', ':', '=', ' ']).len();
    line.truncate(cut);
    if line.is_empty() {
        return one.name().to_owned();
    }
    if let Some(keyword) = keyword_of_group(one.file.language(), one.row.kind, &line) {
        line.insert_str(0, keyword);
    }
    // `typedef enum { … } name` ends with the name.
    if line.starts_with("typedef ") && !line.contains(one.name()) {
        line = format!("{line} {}", one.name());
    }
    if line.len() > SIGNATURE_BYTES {
        line.truncate(head(&line, SIGNATURE_BYTES).len());
        line.push('…');
    }
    line
}

fn share(n: usize, of: usize) -> f64 {
    let float = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    float(n) / float(of.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_name_of_a_basic_type_is_a_utility() {
        for (signature, expected) in [
            ("typedef char *sds", true),
            ("typedef unsigned long long mstime_t", true),
            ("typedef void CURL", true),
            ("typedef struct client client", false),
            ("typedef", false),
            ("struct char_list", false),
        ] {
            assert_eq!(names_basic_type(signature), expected, "{signature}");
        }
    }

    #[test]
    fn files_are_utilities_by_their_name_or_by_their_folder() {
        for (path, expected) in [
            ("src/log.rs", true),
            ("src/Log.test.ts", true),
            ("util/strings.py", true),
            ("src/Helpers/Strings.cs", true),
            ("util.c", true),
            ("gui/GuiCompat.h", true),
            ("src/util/text/strings.py", false),
            ("src/login.rs", false),
            ("src/my.log", false),
            ("a.rs", false),
            ("", false),
        ] {
            assert_eq!(is_utility_file(path.into()), expected, "{path}");
        }
    }
}

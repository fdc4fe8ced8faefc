//! A query as it is understood: text and options → [`Inquiry`].
//!
//! Owns what is decided before anything is looked up: the kind of the query and its weights, the
//! filters, the requirements of phrases and `symbol:`, and the question for referrers. It reads the
//! index only to tell names of files and of languages from words. It finds and scores no chunk.

use std::collections::BTreeMap;

use bstr::BStr;
use roaring::RoaringBitmap;

use crate::base::text::path;
use crate::index::embed::Question;
use crate::search::segment::{Index, Part};

use crate::search::query::parse::filter::Filter;
use crate::search::query::parse::language::{self, QuestionWithoutLanguage};
use crate::search::query::parse::parser::{ParsedQuery, parse_weighted};
use crate::search::query::parse::paths::NamedPath;
use crate::search::query::parse::pathspec::Pathspec;
use crate::search::query::parse::relation::RelationQuestion;
use crate::search::query::parse::repository_name::without_name;
use crate::search::query::recall::required::required;
use crate::search::query::weights::Weights;
use crate::search::query::{Error, Query, QueryKind};

/// What a query asks for, and what its hits must be.
pub(super) struct Inquiry {
    pub(super) parsed: ParsedQuery,
    /// The weights for this kind of query.
    pub(super) weights: Weights,
    pub(super) filter: Filter,
    /// By segment, the chunks that may be hits; `None` if all may.
    pub(super) required: Option<BTreeMap<Part, RoaringBitmap>>,
    /// Pathspecs and the factors for the scores of matching files.
    pub(super) boosts: Vec<(Pathspec, f64)>,
    /// The symbol whose referrers the query asks for.
    pub(super) relation: Option<RelationQuestion>,
}

impl Inquiry {
    /// Understands a query.
    ///
    /// # Errors
    /// [`Error::Kind`] and [`Error::Pathspec`] for invalid filters, [`Error::Segment`] for a
    /// damaged index.
    pub(super) fn new(index: &Index<'_>, query: &Query, weights: &Weights) -> Result<Self, Error> {
        let parsed = parsed(index, query, weights);
        let weights = weights_of(query, parsed.kind, weights);
        let filter = Filter::compile(&query.filters, &parsed.filters)?;
        let boost = |(spec, factor): &(String, f64)| Ok((Pathspec::parse(spec)?, *factor));
        let boosts = query.boosts.iter().map(boost).collect::<Result<_, Error>>()?;
        let required = required(index, &parsed)?;
        let relation =
            RelationQuestion::asked(&query.text).filter(|_| parsed.kind == QueryKind::NaturalLanguage);
        Ok(Self { parsed, weights, filter, required, boosts, relation })
    }
}

/// Parses the text and adds what only the index and the options tell.
fn parsed(index: &Index<'_>, query: &Query, weights: &Weights) -> ParsedQuery {
    let mut parsed = parse_weighted(&query.text, weights);
    let mut text = query.text.as_str();
    let unnamed = without_name(text, &query.repository_names);
    if let Some(unnamed) = unnamed.as_deref().filter(|_| parsed.kind == QueryKind::NaturalLanguage) {
        parsed = parse_weighted(unnamed, weights);
        text = unnamed;
    }
    if parsed.kind == QueryKind::NaturalLanguage
        && let Some(unsaid) = QuestionWithoutLanguage::of(text).filter(|unsaid| unsaid.is_of(index))
    {
        parsed = parse_weighted(&unsaid.text, weights);
    }
    if parsed.kind == QueryKind::Identifier && is_file_name(index, query.text.trim()) {
        // A path has no embedding and declares nothing.
        parsed.kind = QueryKind::Path;
        parsed.symbols.clear();
        (parsed.question, parsed.asked) = (Question::default(), Vec::new());
        let path = query.text.trim().to_owned();
        parsed.paths = vec![NamedPath { path, ..NamedPath::default() }];
    }
    if parsed.kind == QueryKind::NaturalLanguage {
        parsed.written_in = language::written_in(&query.text, index);
    }
    parsed.add_context(&query.context, weights);
    parsed.wants_tests |= query.filters.tests == Some(true);
    parsed
}

/// Returns the weights for a query of this kind.
fn weights_of(query: &Query, kind: QueryKind, weights: &Weights) -> Weights {
    let mut of_kind = weights.for_kind(kind);
    if !query.text.trim().contains('\n') {
        // A single line is one message, however long it is, so it gets the weight for short texts.
        of_kind.said = weights.said;
    }
    if query.all_chunks {
        of_kind.large = 1.0;
    }
    of_kind
}

/// Returns whether a word that looks like a qualified name (`fragment.wesl`) is the name of a file.
fn is_file_name(index: &Index<'_>, word: &str) -> bool {
    let is_name = |path: &BStr| path::name(path) == word.as_bytes();
    word.contains('.')
        && !word.contains(char::is_whitespace)
        && index.files().any(|file| is_name(file.path()))
}

//! Inclusions: a file or a declaration requested by name → a result before all others.

use bstr::{BStr, BString, ByteSlice};

use super::view::{InclusionDetail, ResultItem, Results};
use crate::index::chunk::{ByteRange, Span};
use crate::search::query::declaration_kind_name;

use super::results::{declaration_items, without_forged_names};
use crate::search::Searcher;

/// Something to show in addition to the results.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Include {
    /// The file, from the root of the repository.
    pub path: BString,
    /// Name or symbol path of a declaration in it; empty for the whole file.
    pub symbol: String,
    /// Whether doc comment and signature are enough.
    pub only_signature: bool,
}

impl Include {
    /// Names a whole file, from the root of the repository.
    pub fn new(path: impl Into<BString>) -> Self {
        Self { path: path.into(), symbol: String::new(), only_signature: false }
    }

    /// Sets the name or symbol path of a declaration in the file.
    #[must_use]
    pub fn with_symbol(mut self, symbol: impl Into<String>) -> Self {
        self.symbol = symbol.into();
        self
    }

    /// Sets whether doc comment and signature are enough.
    #[must_use]
    pub fn with_only_signature(mut self, only_signature: bool) -> Self {
        self.only_signature = only_signature;
        self
    }
}

/// The results of an inclusion: one for a file, one for each declaration of that name. Empty if no
/// such file is searched, or it has no such declaration. If the file's record is not the one of its
/// source, the results have no names.
pub fn included(searcher: &Searcher, include: &Include) -> Vec<ResultItem> {
    let mut items = found(searcher, include);
    if without_forged_names(searcher, &mut items).is_err() {
        items.clear();
    }
    items
}

fn found(searcher: &Searcher, include: &Include) -> Vec<ResultItem> {
    let index = searcher.index();
    let path = include.path.as_bstr();
    let Some(text) = searcher.text(path) else { return Vec::new() };
    let file = index.file_by_path(path);
    let language = file.map_or("text", |file| file.language()).to_owned();
    let item = |span: Span, symbol: String, kind: &'static str| ResultItem {
        rank: 0,
        path: path.to_owned(),
        span,
        around: 0,
        symbol,
        kind,
        language: language.clone(),
        score: 0.0,
        relevance: None,
        git_status: searcher.git_status(path),
        blob: searcher.blob(path),
        text: Some(text.clone()),
        declarations: declaration_items(&index, path, &span),
        lines: Vec::new(),
        named: None,
        explanation: Vec::new(),
        moved: None,
        repository: 0,
        checkout: String::new(),
        change: None,
        relation: None,
        included: Some(if include.only_signature {
            InclusionDetail::Signature
        } else {
            InclusionDetail::Whole
        }),
        commentary: None,
        also: Vec::new(),
        copies: Vec::new(),
    };
    if include.symbol.is_empty() {
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let end_line = u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1);
        let span = Span { bytes: ByteRange { start: 0, end }, start_line: 1, end_line };
        return vec![item(span, String::new(), "file")];
    }
    let is_named = |name: &str, symbol: &str| name == include.symbol || symbol == include.symbol;
    file.into_iter()
        .flat_map(|file| file.declarations())
        .map(|one| (one, one.symbol_path()))
        .filter(|(one, symbol)| is_named(one.name(), symbol))
        .map(|(one, symbol)| item(one.row.span, symbol, declaration_kind_name(one.row.kind)))
        .collect()
}

/// Whether the file exists.
pub fn can_include(searcher: &Searcher, path: &BStr) -> bool {
    searcher.text(path).is_some()
}

/// Puts the inclusions before the results, and drops results that they contain.
pub fn include(results: &mut Results, mut included: Vec<ResultItem>) {
    results.results.retain(|found| {
        !included.iter().any(|one| {
            one.included == Some(InclusionDetail::Whole)
                && one.path == found.path
                && found.change.is_none()
                && found.repository == 0
                && one.span.bytes.start <= found.span.bytes.start
                && one.span.bytes.end >= found.span.bytes.end
        })
    });
    included.append(&mut results.results);
    for (item, rank) in included.iter_mut().zip(1..) {
        item.rank = rank;
    }
    results.results = included;
}

//! The declarations of a file, and those of a repository that a query finds.
//!
//! A query of one word finds declarations by their names: exact ones, then names that begin with
//! it, then names that contain it. The search of the index comes after that, unless a name was
//! exact. So plain words find declarations too. Clients ask with every typed letter, so nothing is
//! sent to a model.

use std::collections::HashSet;

use bstr::{BString, ByteSlice as _};
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolParams, Location, Range, SymbolInformation,
    SymbolKind, WorkspaceSymbolParams,
};
use serde_json::Value;

use git_cora::answer::view::{ResultItem, labels};
use git_cora::answer::{DeclarationSite, Navigator, name_range};
use git_cora::base::progress::{NoProgress, Task};
use git_cora::index::chunk::{ByteRange, Declaration, DeclarationKind, without_language};
use git_cora::index::record::IndexedFile;
use git_cora::search::graph::DeclarationRef;
use git_cora::{MapQuery, Query};

use super::call::{Call, OpenState, Views, record};
use super::failure::RequestError;
use super::json::{params, value};
use super::navigate::shown;
use super::text::Text;

/// Most symbols in a reply to a query. Clients ask again with every typed letter.
const SYMBOLS: usize = 100;
/// Most results of the search behind the names.
const RESULTS: usize = 30;
/// Most declarations of a file that are listed.
const DECLARATIONS: usize = 20_000;
/// Longest query in bytes.
const QUERY_BYTES: usize = 10_000;

/// Returns the protocol's kind for a kind of declaration or chunk.
pub(super) fn symbol_kind(kind: &str) -> SymbolKind {
    match kind {
        "function" | "macro" | "test" => SymbolKind::Function,
        "method" => SymbolKind::Method,
        "constructor" => SymbolKind::Constructor,
        "class" | "type" => SymbolKind::Class,
        "struct" | "union" | "table" => SymbolKind::Struct,
        "interface" => SymbolKind::Interface,
        "enum" => SymbolKind::Enum,
        "variant" => SymbolKind::EnumMember,
        "implementation" | "rule" => SymbolKind::Object,
        "module" => SymbolKind::Module,
        "constant" => SymbolKind::Constant,
        "variable" => SymbolKind::Variable,
        "field" | "element" => SymbolKind::Field,
        "key" => SymbolKind::Key,
        "section" => SymbolKind::String,
        _ => SymbolKind::File,
    }
}

fn information(name: String, kind: SymbolKind, container: String, location: Location) -> SymbolInformation {
    #[allow(deprecated)] // The field has to be given.
    SymbolInformation {
        deprecated: None,
        location,
        base_symbol_information: BaseSymbolInformation {
            name,
            kind,
            tags: None,
            container_name: Some(container).filter(|name| !name.is_empty()),
        },
    }
}

pub(super) fn document_symbol(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: DocumentSymbolParams = params(request)?;
    let uri = &request.text_document.uri;
    let Some(file) = call.file(uri)? else { return Ok(Value::Null) };
    // The text is read again, so this needs no index.
    let Some(text) = call.shown(&file)? else { return Ok(Value::Null) };
    let Some(recorded) = record(&file, &text)? else { return Ok(Value::Array(Vec::new())) };
    let symbols = Outline { file: &recorded, text: &text, encoding: call.client.encoding };
    if call.client.has_nested_symbols {
        return value(&symbols.nested());
    }
    let flat = (0..).zip(&recorded.declarations).take(DECLARATIONS).map(|(ord, one)| {
        let location = Location { uri: uri.clone(), range: symbols.ranges(one).1 };
        let symbol = labels::symbol_path(&recorded, ord);
        information(
            symbols.name(one),
            symbol_kind(labels::declaration_kind(one.kind)),
            outer(&symbol, &one.name),
            location,
        )
    });
    value(&flat.collect::<Vec<_>>())
}

/// Returns the names around a declaration.
pub(super) fn outer(symbol: &str, name: &str) -> String {
    symbol.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':', '#', '/']).to_owned()
}

/// The declarations of a text.
struct Outline<'t> {
    file: &'t IndexedFile,
    text: &'t Text,
    encoding: super::text::Encoding,
}

impl Outline<'_> {
    /// Returns a name for people; the protocol forbids an empty one.
    fn name(&self, one: &Declaration) -> String {
        let name = one.name.trim();
        if name.is_empty() { labels::declaration_kind(one.kind).to_owned() } else { name.to_owned() }
    }

    /// Returns the range of a declaration, and that of its name, which is inside of it.
    fn ranges(&self, one: &Declaration) -> (Range, Range) {
        let whole = one.span.bytes;
        let name = name_range(self.text.as_str(), &one.name, one.kind, &one.span, one.name_line);
        let start = name.start.clamp(whole.start, whole.end);
        let name = ByteRange { start, end: name.end.clamp(start, whole.end) };
        (self.text.range(whole, self.encoding), self.text.range(name, self.encoding))
    }

    fn nested(&self) -> Vec<DocumentSymbol> {
        // Children come after their parents, so a walk from the end finds them complete.
        let mut children: Vec<Vec<DocumentSymbol>> = Vec::new();
        let all: Vec<&Declaration> = self.file.declarations.iter().take(DECLARATIONS).collect();
        children.resize_with(all.len(), Vec::new);
        let mut roots = Vec::new();
        for (ord, one) in all.iter().enumerate().rev() {
            let mut own = std::mem::take(children.get_mut(ord).unwrap_or(&mut Vec::new()));
            own.reverse();
            let (range, selection_range) = self.ranges(one);
            let scope = Some(without_language(&one.scope).to_owned()).filter(|scope| !scope.is_empty());
            #[allow(deprecated)] // The field has to be given.
            let symbol = DocumentSymbol {
                name: self.name(one),
                detail: scope,
                kind: symbol_kind(labels::declaration_kind(one.kind)),
                tags: None,
                deprecated: None,
                range,
                selection_range,
                children: Some(own).filter(|own| !own.is_empty()),
            };
            match one.parent.and_then(|parent| children.get_mut(parent as usize)) {
                Some(siblings) => siblings.push(symbol),
                None => roots.push(symbol),
            }
        }
        roots.reverse();
        roots
    }
}

pub(super) fn workspace_symbol(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: WorkspaceSymbolParams = params(request)?;
    let query = request.query.trim();
    if query.len() > QUERY_BYTES {
        return Err(RequestError::params(format!("the query has more than {QUERY_BYTES} bytes")));
    }
    let mut lists = Vec::new();
    for root in call.folders.roots() {
        let Some(kept) = call.repository(&root)? else { continue };
        let mut state = call.state(&root, &kept, None)?;
        let found = match query {
            "" => important(call, &mut state)?,
            query => matching(call, &mut state, query)?,
        };
        let mut views = state.views(call);
        lists
            .push(found.iter().filter_map(|one| one.information(&mut views)).collect::<Vec<_>>().into_iter());
    }
    // The best of each repository come first.
    let mut symbols = Vec::new();
    for _ in 0..SYMBOLS {
        symbols.extend(lists.iter_mut().filter_map(Iterator::next));
    }
    symbols.truncate(SYMBOLS);
    value(&symbols)
}

/// A place that a query finds.
enum SymbolHit {
    Declaration(Box<DeclarationSite>),
    /// A part of a file without a name.
    Part {
        path: BString,
        bytes: ByteRange,
        kind: &'static str,
    },
}

impl SymbolHit {
    fn information(&self, views: &mut Views<'_>) -> Option<SymbolInformation> {
        match self {
            Self::Declaration(site) => {
                let place = shown(views, site)?;
                let location = Location { uri: place.uri, range: place.name };
                let container = outer(&site.symbol, &site.name);
                let container =
                    if container.is_empty() { site.path.to_str_lossy().into_owned() } else { container };
                let kind = symbol_kind(labels::declaration_kind(site.kind));
                Some(information(site.name.clone(), kind, container, location))
            }
            Self::Part { path, bytes, kind } => {
                let view = views.get(path.as_ref())?;
                let line = view.indexed.line_of(bytes.start);
                let start = view.indexed.start(line);
                let len = u32::try_from(view.indexed.line(line).len()).unwrap_or(0);
                let range = view.range(ByteRange { start, end: start.saturating_add(len) })?;
                let path = path.to_str_lossy();
                let name =
                    format!("{}:{}", path.rsplit('/').next().unwrap_or_default(), range.start.line + 1);
                let location = Location { uri: view.uri.clone(), range };
                Some(information(name, symbol_kind(kind), path.into_owned(), location))
            }
        }
    }
}

/// Returns the most important declarations: a query without words asks for any.
fn important(call: &Call<'_>, state: &mut OpenState) -> Result<Vec<SymbolHit>, RequestError> {
    let kept = std::sync::Arc::clone(&state.kept);
    state.read(call, |searcher| {
        let task = Task::new(&NoProgress, call.cancel);
        let outline = kept.session.map(searcher, &MapQuery::new(SYMBOLS), task)?;
        let index = searcher.index();
        let mut navigator = Navigator::new(searcher, &index);
        let mut found = Vec::new();
        for item in &outline.items {
            let named = navigator.named(&format!("{}:{}", item.path, item.line))?;
            found.extend(named.into_iter().map(|site| SymbolHit::Declaration(Box::new(site))));
        }
        Ok(found)
    })
}

/// Returns the declarations whose names match, then what the search finds.
fn matching(call: &Call<'_>, state: &mut OpenState, query: &str) -> Result<Vec<SymbolHit>, RequestError> {
    let is_word = !query.contains(char::is_whitespace);
    let mut sites = if is_word { by_name(call, state, query)? } else { Vec::new() };
    let mut known: HashSet<_> = sites.iter().map(|site| site.at).collect();
    let mut parts = Vec::new();
    let is_exact = sites.first().is_some_and(|site| site.name == query || site.symbol == query);
    if sites.len() < SYMBOLS && !is_exact {
        let n = RESULTS.min(SYMBOLS - sites.len());
        let query = Query::new(query).with_limit(n);
        let results =
            state.kept.answer_here(call.pool, &mut state.searcher, &query, &state.revision, call.cancel)?;
        let declared = state.read(call, |searcher| {
            let index = searcher.index();
            let mut navigator = Navigator::new(searcher, &index);
            Ok(results.results.iter().map(|item| declared(&mut navigator, item)).collect::<Vec<_>>())
        })?;
        for (item, own) in results.results.iter().zip(declared) {
            match own {
                Some(site) if known.insert(site.at) => sites.push(site),
                Some(_) => {}
                None => parts.push(SymbolHit::Part {
                    path: item.path.clone(),
                    bytes: item.span.bytes,
                    kind: item.kind,
                }),
            }
        }
    }
    Ok(sites.into_iter().map(|site| SymbolHit::Declaration(Box::new(site))).chain(parts).collect())
}

/// Returns the declarations whose names are a word, begin with it or contain it, in this order.
fn by_name(call: &Call<'_>, state: &mut OpenState, word: &str) -> Result<Vec<DeclarationSite>, RequestError> {
    state.read(call, |searcher| {
        let index = searcher.index();
        let mut navigator = Navigator::new(searcher, &index);
        let mut sites = navigator.named(word)?;
        sites.truncate(SYMBOLS);
        let lower = word.to_lowercase();
        let (mut beginning, mut containing) = (Vec::new(), Vec::new());
        for view in index.declarations() {
            // A key or a title is data; it is found by its whole name or by the search.
            let is_data = matches!(
                view.row.kind,
                DeclarationKind::Key | DeclarationKind::Section | DeclarationKind::Element
            );
            if is_data || view.name().len() <= word.len() {
                continue;
            }
            let list = match position(view.name(), &lower) {
                Some(0) => &mut beginning,
                Some(_) => &mut containing,
                None => continue,
            };
            if list.len() < SYMBOLS {
                list.push(DeclarationRef { part: view.file.part, ord: view.ord });
            }
        }
        let room = SYMBOLS.saturating_sub(sites.len());
        let others = beginning.into_iter().chain(containing).take(room);
        sites.extend(others.filter_map(|at| navigator.declaration(at)));
        Ok(sites)
    })
}

/// Returns the declaration that names a result of the search.
fn declared(navigator: &mut Navigator<'_, '_>, item: &ResultItem) -> Option<DeclarationSite> {
    let by_symbol = || item.declarations.iter().position(|one| item.symbol.ends_with(&one.name));
    let named = item.named.or_else(by_symbol).filter(|_| !item.symbol.is_empty())?;
    let one = item.declarations.get(named)?;
    let all = navigator.declarations(item.path.as_ref()).into_iter();
    all.filter(|site| site.line == one.name_line).find(|site| site.name == one.name)
}

/// Returns where a name contains a word, in any case. `lower` is the word in lower case.
fn position(name: &str, lower: &str) -> Option<usize> {
    if name.is_ascii() {
        let (name, lower) = (name.as_bytes(), lower.as_bytes());
        return name.windows(lower.len().max(1)).position(|part| part.eq_ignore_ascii_case(lower));
    }
    name.to_lowercase().find(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_declaration_has_one_of_the_protocol() {
        use DeclarationKind as K;
        for kind in [
            K::Function,
            K::Method,
            K::Constructor,
            K::Class,
            K::Struct,
            K::Interface,
            K::Enum,
            K::Variant,
            K::Union,
            K::Type,
            K::Implementation,
            K::Module,
            K::Constant,
            K::Variable,
            K::Field,
            K::Macro,
            K::Test,
            K::Section,
            K::Key,
            K::Rule,
            K::Table,
            K::Element,
        ] {
            let label = labels::declaration_kind(kind);
            assert_ne!(symbol_kind(label), SymbolKind::File, "{label}");
        }
        assert_eq!(symbol_kind("head"), SymbolKind::File);
    }

    #[test]
    fn names_are_compared_in_any_case() {
        for (name, word, expected) in [
            ("retryUpload", "upload", Some(5)),
            ("Größe", "grö", Some(0)),
            ("open", "close", None),
            ("a", "longer", None),
        ] {
            assert_eq!(position(name, word), expected, "{name}");
        }
    }

    #[test]
    fn the_names_around_a_declaration_are_told_from_its_own() {
        assert_eq!(outer("net::Client::open", "open"), "net::Client");
        assert_eq!(outer("open", "open"), "");
    }
}

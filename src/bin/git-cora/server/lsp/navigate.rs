//! From a name to its declarations, its references and its implementations.
//!
//! Owns [`at_name`], which every request about a place begins with.

use std::collections::HashSet;
use std::rc::Rc;

use bstr::ByteSlice as _;
use gen_lsp_types::{
    DefinitionParams, ImplementationParams, Location, Position, Range, ReferenceParams,
    TextDocumentPositionParams, Uri,
};
use serde_json::Value;

use git_cora::answer::view::labels;
use git_cora::answer::{Cursor, DeclarationSite, DeclarationTarget, NamePlace, Navigator, name_range};
use git_cora::index::chunk::ByteRange;

use super::call::{Call, OpenState, Place, RepositoryFile, View, Views, record};
use super::failure::RequestError;
use super::json::{params, value};

/// Most places in a reply. No list that people read is longer, and editors draw each of them.
const PLACES: usize = 5000;
/// With more possible meanings than this, the references of none are listed.
const MEANINGS: usize = 5;

/// What a name means, in the state that the answer is from.
pub(super) struct NameMeaning {
    pub(super) state: OpenState,
    /// The place of the name as the client shows it; `None` if its line is new.
    pub(super) range: Option<Range>,
    pub(super) is_declaration: bool,
    pub(super) targets: Vec<DeclarationTarget>,
}

/// Returns what the name at a place means; `None` if there is none, or its file is not searched.
pub(super) fn at_name(
    call: &Call<'_>,
    params: &TextDocumentPositionParams,
) -> Result<Option<NameMeaning>, RequestError> {
    let Some(file) = call.file(&params.text_document.uri)? else { return Ok(None) };
    let mut state = call.state_of(&file)?;
    let Some(view) = state.views(call).of(&file)? else { return Ok(None) };
    let Some(place) = view.place(params.position) else { return Ok(None) };
    let declared = match &place {
        Place::New { .. } => declared_at(call, &file, &view, params.position)?,
        Place::Byte(_) => None,
    };
    let path = file.path.as_bstr();
    let meaning = state.read(call, |searcher| {
        let index = searcher.index();
        let mut navigator = Navigator::new(searcher, &index);
        // The declaration was edited: the index has it under its name.
        if let Some((symbol, kind)) = &declared {
            let all = navigator.declarations(path).into_iter();
            let own = all.filter(|one| one.symbol == *symbol && labels::declaration_kind(one.kind) == *kind);
            let own: Vec<DeclarationSite> = own.collect();
            if let [only] = own.as_slice() {
                return Ok(navigator.meaning(path, Cursor::Byte(only.name_range.start))?);
            }
        }
        Ok(navigator.meaning(path, place.cursor())?)
    })?;
    let Some(mut meaning) = meaning else { return Ok(None) };
    if call.settings.certain_only {
        meaning.targets.retain(|target| target.certain);
    }
    let range = meaning.range.filter(|_| matches!(place, Place::Byte(_)));
    Ok(Some(NameMeaning {
        state,
        range: range.and_then(|range| view.range(range)),
        is_declaration: meaning.is_declaration,
        targets: meaning.targets,
    }))
}

/// Returns the symbol path and the kind of the declaration whose name is at a place of an unsaved
/// text.
fn declared_at(
    call: &Call<'_>,
    file: &RepositoryFile,
    view: &View,
    at: Position,
) -> Result<Option<(String, &'static str)>, RequestError> {
    let Some(recorded) = record(file, &view.shown)? else { return Ok(None) };
    let byte = view.shown.byte(at, call.client.encoding);
    let text = view.shown.as_str();
    let found = (0..).zip(&recorded.declarations).find(|(_, one)| {
        let range = name_range(text, &one.name, one.kind, &one.span, one.name_line);
        range.start <= byte && byte <= range.end
    });
    Ok(found.map(|(ord, one)| (labels::symbol_path(&recorded, ord), labels::declaration_kind(one.kind))))
}

/// A place of a declaration as the client shows it.
pub(super) struct ShownDeclaration {
    pub(super) uri: Uri,
    pub(super) name: Range,
    pub(super) whole: Range,
}

/// Returns where the client shows a declaration; `None` if its line is not there any more.
pub(super) fn shown(views: &mut Views<'_>, site: &DeclarationSite) -> Option<ShownDeclaration> {
    let view = views.get(site.path.as_ref())?;
    let name = view.range(site.name_range)?;
    Some(ShownDeclaration { uri: view.uri.clone(), name, whole: view.span(site.span.bytes, name) })
}

fn location(views: &mut Views<'_>, site: &DeclarationSite) -> Option<Location> {
    shown(views, site).map(|shown| Location { uri: shown.uri, range: shown.name })
}

/// Returns where the client shows a reference; `None` if its line is not there any more.
pub(super) fn reference_range(views: &mut Views<'_>, place: &NamePlace) -> Option<(Rc<View>, Range)> {
    let view = views.get(place.path.as_ref())?;
    // The name is not written there as it is declared: the line is the place.
    let bytes: ByteRange = place.range.unwrap_or_else(|| view.index_line(place.line));
    let range = view.range(bytes)?;
    Some((view, range))
}

pub(super) fn definition(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: DefinitionParams = params(request)?;
    let Some(found) = at_name(call, &request.text_document_position_params)? else { return Ok(Value::Null) };
    let mut views = found.state.views(call);
    let places: Vec<Location> =
        found.targets.iter().filter_map(|target| location(&mut views, &target.site)).collect();
    value(&places)
}

pub(super) fn implementation(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: ImplementationParams = params(request)?;
    let Some(mut found) = at_name(call, &request.text_document_position_params)? else {
        return Ok(Value::Null);
    };
    let targets = std::mem::take(&mut found.targets);
    let implementing = found.state.read(call, |searcher| {
        let index = searcher.index();
        let mut navigator = Navigator::new(searcher, &index);
        let mut implementing: Vec<DeclarationTarget> = Vec::new();
        for target in targets.iter().take(MEANINGS) {
            implementing.extend(navigator.implementations(target.site.at)?);
        }
        Ok(implementing)
    })?;
    let mut views = found.state.views(call);
    let listed = implementing.iter().filter(|one| one.certain || !call.settings.certain_only).take(PLACES);
    let mut places: Vec<Location> = listed.filter_map(|one| location(&mut views, &one.site)).collect();
    places.dedup();
    value(&places)
}

pub(super) fn references(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: ReferenceParams = params(request)?;
    let Some(mut found) = at_name(call, &request.text_document_position_params)? else {
        return Ok(Value::Null);
    };
    let targets = std::mem::take(&mut found.targets);
    if targets.len() > MEANINGS {
        return Ok(Value::Array(Vec::new()));
    }
    let mut all: Vec<NamePlace> = found.state.read(call, |searcher| {
        let index = searcher.index();
        let mut navigator = Navigator::new(searcher, &index);
        let mut all = Vec::new();
        for target in &targets {
            all.extend(navigator.all_references(target.site.at)?);
        }
        Ok(all)
    })?;
    all.retain(|place| place.certain || !call.settings.certain_only);
    all.sort_by(|a, b| a.path.cmp(&b.path).then_with(|| a.line.cmp(&b.line)));
    let mut views = found.state.views(call);
    let mut places: Vec<Location> = Vec::new();
    if request.context.include_declaration {
        places.extend(targets.iter().filter_map(|target| location(&mut views, &target.site)));
    }
    let mut known: HashSet<Location> = places.iter().cloned().collect();
    for place in all.iter().take(PLACES) {
        let Some((view, range)) = reference_range(&mut views, place) else { continue };
        let location = Location { uri: view.uri.clone(), range };
        if known.insert(location.clone()) {
            places.push(location);
        }
    }
    value(&places)
}

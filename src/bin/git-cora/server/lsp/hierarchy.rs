//! The call hierarchy: who calls a function, and what it calls.
//!
//! Every item says in its `detail` where it is, and whether it is a guess. An item is found again
//! by the place of its name, so the server keeps nothing about it.

use std::collections::HashMap;

use bstr::ByteSlice as _;
use gen_lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Position, Range,
    SymbolKind, TextDocumentIdentifier, TextDocumentPositionParams,
};
use serde_json::Value;

use git_cora::answer::view::labels;
use git_cora::answer::{CalleePlace, DeclarationSite, NamePlace, Navigator};
use git_cora::index::chunk::ReferenceKind;

use super::call::{Call, Views};
use super::failure::RequestError;
use super::json::{params, value};
use super::navigate::{NameMeaning, at_name, reference_range, shown};
use super::symbols::{outer, symbol_kind};

/// Most items in a reply.
const ITEMS: usize = 1000;

/// Whether something is certain, in words.
pub(super) fn sureness(certain: bool, how: &str, confidence: f64) -> String {
    if certain { String::new() } else { format!("guess: {how}, {:.0}%", confidence * 100.0) }
}

/// Returns what an item says about itself: the parts that are not empty.
fn detail(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

fn item(views: &mut Views<'_>, site: &DeclarationSite, guess: &str) -> Option<CallHierarchyItem> {
    let shown = shown(views, site)?;
    Some(CallHierarchyItem {
        name: site.name.clone(),
        kind: symbol_kind(labels::declaration_kind(site.kind)),
        tags: None,
        detail: Some(detail(&[&outer(&site.symbol, &site.name), &site.path.to_str_lossy(), guess])),
        uri: shown.uri,
        range: shown.whole,
        selection_range: shown.name,
        data: None,
    })
}

/// Returns an item for the code of a file outside of any declaration.
fn file_item(views: &mut Views<'_>, place: &NamePlace, guess: &str) -> Option<CallHierarchyItem> {
    let view = views.get(place.path.as_ref())?;
    let start = Range { start: Position::default(), end: Position::default() };
    let path = place.path.to_str_lossy();
    Some(CallHierarchyItem {
        name: path.rsplit('/').next().unwrap_or_default().to_owned(),
        kind: SymbolKind::File,
        tags: None,
        detail: Some(detail(&[&path, guess])),
        uri: view.uri.clone(),
        range: start,
        selection_range: start,
        data: None,
    })
}

pub(super) fn prepare(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: CallHierarchyPrepareParams = params(request)?;
    let Some(found) = at_name(call, &request.text_document_position_params)? else { return Ok(Value::Null) };
    let mut views = found.state.views(call);
    let items: Vec<CallHierarchyItem> = found
        .targets
        .iter()
        .filter_map(|target| {
            let guess = sureness(target.certain, target.how, target.confidence);
            item(&mut views, &target.site, &guess)
        })
        .collect();
    value(&items)
}

/// Returns the declaration that an item names; `None` if it is not there any more.
fn declaration(call: &Call<'_>, item: &CallHierarchyItem) -> Result<Option<NameMeaning>, RequestError> {
    let text_document = TextDocumentIdentifier { uri: item.uri.clone() };
    let found =
        at_name(call, &TextDocumentPositionParams { text_document, position: item.selection_range.start })?;
    Ok(found.filter(|found| {
        found.is_declaration && found.targets.first().is_some_and(|target| target.site.name == item.name)
    }))
}

pub(super) fn incoming(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: CallHierarchyIncomingCallsParams = params(request)?;
    let Some(mut found) = declaration(call, &request.item)? else { return Ok(Value::Null) };
    let Some(of) = found.targets.first().map(|target| target.site.at) else { return Ok(Value::Null) };
    let calls = found.state.read(call, |searcher| {
        let index = searcher.index();
        let mut navigator = Navigator::new(searcher, &index);
        Ok(navigator.references(of, &[ReferenceKind::Call])?)
    })?;
    let mut views = found.state.views(call);
    // The places of one caller, in order of the first.
    let mut callers: Vec<Vec<&NamePlace>> = Vec::new();
    let mut known = HashMap::new();
    for place in calls.iter().filter(|place| place.certain || !call.settings.certain_only) {
        let key = (&place.path, place.around.as_ref().map(|site| site.at));
        let at = *known.entry(key).or_insert(callers.len());
        match callers.get_mut(at) {
            Some(caller) => caller.push(place),
            None => callers.push(vec![place]),
        }
    }
    callers.sort_by_key(|places| !places.iter().any(|place| place.certain));
    let mut items: Vec<CallHierarchyIncomingCall> = Vec::new();
    for places in callers.into_iter().take(ITEMS) {
        let Some(surest) = places.iter().min_by_key(|place| !place.certain) else { continue };
        let guess = sureness(surest.certain, surest.how, surest.confidence);
        let from = match &surest.around {
            Some(site) => item(&mut views, site, &guess),
            None => file_item(&mut views, surest, &guess),
        };
        let ranges: Vec<Range> =
            places.iter().filter_map(|place| Some(reference_range(&mut views, place)?.1)).collect();
        if let Some(from) = from.filter(|_| !ranges.is_empty()) {
            items.push(CallHierarchyIncomingCall { from, from_ranges: ranges });
        }
    }
    value(&items)
}

pub(super) fn outgoing(call: &Call<'_>, request: Value) -> Result<Value, RequestError> {
    let request: CallHierarchyOutgoingCallsParams = params(request)?;
    let Some(mut found) = declaration(call, &request.item)? else { return Ok(Value::Null) };
    let Some(source) = found.targets.first().map(|target| target.site.clone()) else {
        return Ok(Value::Null);
    };
    let callees: Vec<CalleePlace> = found.state.read(call, |searcher| {
        let index = searcher.index();
        Ok(Navigator::new(searcher, &index).callees(source.at)?)
    })?;
    let mut views = found.state.views(call);
    let Some(own) = views.get(source.path.as_ref()) else { return Ok(Value::Null) };
    let mut items: Vec<CallHierarchyOutgoingCall> = Vec::new();
    for callee in callees.iter().filter(|one| one.target.certain || !call.settings.certain_only).take(ITEMS) {
        let target = &callee.target;
        let guess = sureness(target.certain, target.how, target.confidence);
        let mut ranges: Vec<Range> = callee.calls.iter().filter_map(|range| own.range(*range)).collect();
        if callee.calls.is_empty() {
            ranges.extend(own.range(own.index_line(callee.line)));
        }
        if let Some(to) = item(&mut views, &target.site, &guess).filter(|_| !ranges.is_empty()) {
            items.push(CallHierarchyOutgoingCall { to, from_ranges: ranges });
        }
    }
    value(&items)
}

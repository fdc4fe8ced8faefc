//! The references that a question asks for: "what calls open" → the chunks that refer to it, "what
//! does open call" → the chunks that it refers to, each with the declarations in them.
//!
//! The lists of references and the answers to questions read the same places, so they agree. The
//! search ranks the chunks; [`LabelContext`](crate::answer::LabelContext) names each result by the
//! declaration at the other end.

use std::collections::{BTreeSet, HashMap};

use bstr::{BStr, ByteSlice};

use super::lists::has_labels;
use super::reader::{Reader, is_listed};
use super::referrers::PlaceMatch;
use super::unresolved::unresolved_list;
use super::{MAX_SYMBOLS, RelatedPlace, Relation, RelationQuery, members_of};
use crate::answer::view::{counted, labels};
use crate::base::text::{named_path, quoted};
use crate::index::chunk::ReferenceKind;
use crate::search::Result;
use crate::search::graph::{DeclarationRef, Graph, Graphs, WrittenName, fits, is_function, manifests};
use crate::search::query::{
    ChunkRef, Direction, ReferenceSite, RelatedChunk, RelatedChunks, RelationQuestion, Sources,
};
use crate::search::segment::{DeclarationView, Index};

/// Most declarations or files that a note lists.
const NOTED: usize = 5;

/// The variable of a Python module that lists the names which it exports.
const EXPORT_LIST: &str = "__all__";

/// The languages whose modules export names by statements.
const SCRIPTS: [&str; 4] = ["javascript", "jsx", "typescript", "tsx"];

/// The number of the repository among those whose references are read.
const HOME: usize = 0;

/// What a question for references asks for.
pub(crate) struct RelationAnswer {
    /// For the search.
    pub(crate) related: RelatedChunks,
    /// By chunk, the declarations at the other end, by their ordinals; empty if a reference stands
    /// outside of any.
    pub(crate) declarations: HashMap<ChunkRef, BTreeSet<u32>>,
    /// What the user should know: several declarations have the name, or there is no reference.
    pub(crate) notes: Vec<String>,
}

/// Returns what a question for references asks for; `None` if the text is not such a question. A
/// name that is not declared has no references.
///
/// `origin` is the address of the repository.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub(crate) fn relation_answer(
    index: &Index<'_>,
    origin: &str,
    sources: &dyn Sources,
    text: &str,
) -> Result<Option<RelationAnswer>> {
    let Some(asked) = RelationQuestion::asked(text) else { return Ok(None) };
    let (related, notes) = (RelatedChunks::none(&asked), Vec::new());
    let mut found = RelationAnswer { related, declarations: HashMap::new(), notes };
    let text = |path: &BStr| sources.texts(&[path]).pop().flatten();
    let mut graphs = Graphs::default();
    let written = WrittenName::parse(&asked.symbol);
    // The manifests, which name the packages, are read only if the name is declared somewhere.
    let graph = Graph::new(index);
    let is_declared = !graph.find(&asked.symbol)?.is_empty()
        || written.n_qualifiers() > 0 && !graph.named(&written.name)?.is_empty();
    let may_be_member =
        asked.direction == Direction::Incoming && asked.kinds.contains(&ReferenceKind::Use) && !asked.is_word;
    if !is_declared && !may_be_member {
        return Ok(Some(found));
    }
    graphs.add(Graph::new(index), &manifests::packages(index, origin, &text));
    if may_be_member {
        let query = RelationQuery::new(asked.symbol.as_str())
            .with_relations(BTreeSet::from([Relation::Callers]))
            .with_limit(MAX_MEMBER_USES);
        for member in members_of(sources, &graphs, &query)? {
            let places = member.callers.map(|all| all.items).unwrap_or_default();
            add_members(index, &asked, &places, &mut found);
        }
    }
    let Some(graph) = graphs.graph(HOME).filter(|_| found.related.chunks.is_empty()) else {
        return Ok(Some(found));
    };
    let mut declared = graph.find_most_used(&asked.symbol)?;
    declared.retain(|at| {
        asked.admits(graph, *at) && has_labels(&[sources], &graphs, &(HOME, *at), &asked.symbol)
    });
    let declared = without_prototypes(graph, declared)?;
    if declared.is_empty() {
        return Ok(Some(found));
    }
    let query = RelationQuery::new("");
    let mut reader = Reader::new(graphs, vec![sources], &query);
    for &at in declared.iter().take(MAX_SYMBOLS) {
        for one in ends(&mut reader, &asked, at)? {
            found.related.add(one.chunk, one.related);
            found.declarations.entry(one.chunk).or_default().extend(one.declaration);
        }
    }
    found.notes.extend(note(&reader, &asked, &declared, found.related.chunks.is_empty()));
    if asks_for_uses(&asked) {
        found.notes.extend(unresolved(&mut reader, &declared)?);
    }
    Ok(Some(found))
}

/// Leaves out the prototypes of C and C++ whose definitions are among the declarations. They have
/// the same references.
fn without_prototypes(graph: &Graph<'_, '_>, declared: Vec<DeclarationRef>) -> Result<Vec<DeclarationRef>> {
    let mut rest = Vec::new();
    for &at in &declared {
        let defined = graph.definitions_of(at)?;
        let is_defined = !defined.all.is_empty() && defined.all.iter().all(|one| declared.contains(one));
        if !is_defined || defined.are_alternatives {
            rest.push(at);
        }
    }
    Ok(rest)
}

/// Returns whether a question asks for all that uses a declaration, and not for what inherits it.
fn asks_for_uses(asked: &RelationQuestion) -> bool {
    asked.direction == Direction::Incoming && asked.kinds.iter().any(|kind| *kind != ReferenceKind::Inherits)
}

/// Returns the note on the files that contain the name of the declarations, where no reference to
/// any of them could be resolved.
fn unresolved(reader: &mut Reader<'_, '_, '_>, declared: &[DeclarationRef]) -> Result<Option<String>> {
    let asked = declared.get(..MAX_SYMBOLS).unwrap_or(declared);
    let files = reader.mentioned_paths(HOME, asked)?;
    let shown: Vec<String> = files.iter().map(|path| quoted(path.as_ref()).into_owned()).collect();
    Ok((!shown.is_empty()).then(|| unresolved_list(&shown, NOTED)))
}

/// Most places that a question for a member that the index leaves out finds.
const MAX_MEMBER_USES: usize = 200;

/// Adds the chunks in which places refer to a member.
fn add_members(
    index: &Index<'_>,
    asked: &RelationQuestion,
    places: &[RelatedPlace],
    found: &mut RelationAnswer,
) {
    for place in places {
        let Some(file) = index.file_by_path(named_path(&place.place.path).as_bstr()) else { continue };
        let is_here = |ord: &u32| {
            let row = file.segment.chunk(*ord);
            row.is_some_and(|row| (row.span.start_line..=row.span.end_line).contains(&place.at))
        };
        let Some(ord) = file.segment.chunks_of(file.ord).find(is_here) else { continue };
        let around = file.declarations().filter(|one| {
            (one.row.span.start_line..=one.row.span.end_line).contains(&place.at)
                && one.row.name_line == place.place.line
        });
        let chunk = ChunkRef { part: file.part, ord };
        let around = around.last();
        let confidence = if place.certain { 1.0 } else { place.confidence };
        let related = asked.related(ReferenceKind::Use, site(around.as_ref()), confidence);
        found.related.add(chunk, related);
        found.declarations.entry(chunk).or_default().extend(around.map(|one| one.ord));
    }
}

/// The other end of a reference that a question asks for.
struct ReferenceEnd {
    chunk: ChunkRef,
    related: RelatedChunk,
    /// The declaration there, by its ordinal; `None` outside of any.
    declaration: Option<u32>,
}

/// Returns the other ends of the references of a declaration that a question asks for.
fn ends(
    reader: &mut Reader<'_, '_, '_>,
    asked: &RelationQuestion,
    at: DeclarationRef,
) -> Result<Vec<ReferenceEnd>> {
    let end = |one: &PlaceMatch<'_>, chunk: ChunkRef, site: ReferenceSite| ReferenceEnd {
        chunk,
        related: asked.related(one.edge.kind, site, one.edge.sure()),
        declaration: one.other.as_ref().map(|view| view.ord),
    };
    Ok(match asked.direction {
        Direction::Outgoing => {
            let found = targets(reader, asked, at)?;
            let graph = reader.graphs().graph(HOME);
            let chunk = |one: &PlaceMatch<'_>| graph?.chunk_of(one.edge.to);
            let ends = found.iter().filter_map(|one| Some(end(one, chunk(one)?, ReferenceSite::Function)));
            ends.collect()
        }
        Direction::Incoming => {
            let mut ends = Vec::new();
            for one in places(reader, asked, at)? {
                let site =
                    if is_exported(reader, &one) { ReferenceSite::Exports } else { site(one.other.as_ref()) };
                ends.push(end(&one, one.edge.from, site));
            }
            ends
        }
    })
}

/// Returns whether a script only exports the name, outside of any declaration.
fn is_exported(reader: &mut Reader<'_, '_, '_>, one: &PlaceMatch<'_>) -> bool {
    let is_use = one.other.is_none() && one.edge.kind == ReferenceKind::Use;
    let Some(name) = one.name.filter(|_| is_use) else { return false };
    let file = reader.graphs().graph(HOME).and_then(|graph| graph.file_of(one.edge.from));
    let script = file.filter(|file| SCRIPTS.contains(&file.language()));
    let Some(path) = script.map(|file| file.path().to_owned()) else { return false };
    reader.text(HOME, path.as_bstr()).is_some_and(|text| is_in_export(&text, name.start as usize))
}

/// Returns whether a place is in a statement of a script that exports names. At the top level, a
/// statement begins a line that is not indented.
fn is_in_export(text: &str, at: usize) -> bool {
    const BEGINNINGS: [&str; 5] = ["module.exports", "exports.", "export {", "export{", "export default"];
    let before = text.get(..at).unwrap_or_default();
    let starts = before.rmatch_indices('\n').map(|(at, _)| at + 1).chain([0]);
    let mut lines = starts.filter_map(|start| text.get(start..));
    let begins = |c: char| !c.is_whitespace() && !matches!(c, '}' | ')' | ']');
    let statement = lines.find(|line| line.starts_with(begins)).unwrap_or_default();
    BEGINNINGS.iter().any(|beginning| statement.starts_with(beginning))
}

/// Returns what is around a reference, by the declaration that it is in.
fn site(around: Option<&DeclarationView<'_>>) -> ReferenceSite {
    match around {
        Some(one) if is_function(one.row.kind) => ReferenceSite::Function,
        Some(one) if one.name() == EXPORT_LIST => ReferenceSite::Exports,
        _ => ReferenceSite::Outside,
    }
}

/// Returns the declarations that one refers to in the ways that a question asks for.
fn targets<'s>(
    reader: &mut Reader<'_, '_, 's>,
    asked: &RelationQuestion,
    at: DeclarationRef,
) -> Result<Vec<PlaceMatch<'s>>> {
    let mut found = reader.referred((HOME, at))?;
    found.retain(|one| is_listed(one) && asked.kinds.contains(&one.edge.kind));
    Ok(found)
}

/// Returns the places that refer to a declaration in the ways that a question asks for.
fn places<'s>(
    reader: &mut Reader<'_, '_, 's>,
    asked: &RelationQuestion,
    at: DeclarationRef,
) -> Result<Vec<PlaceMatch<'s>>> {
    let is_inherits = |kind: &ReferenceKind| *kind == ReferenceKind::Inherits;
    let kinds: Vec<ReferenceKind> = asked.kinds.iter().copied().filter(|kind| !is_inherits(kind)).collect();
    let mut found = if kinds.is_empty() { Vec::new() } else { reader.referrers((HOME, at), &kinds)? };
    if asked.kinds.iter().any(is_inherits) && reader.is_type((HOME, at)) {
        found.extend(match kinds.is_empty() {
            true => reader.heirs((HOME, at))?,
            false => reader.inheritors((HOME, at))?,
        });
    }
    found.retain(is_listed);
    Ok(found)
}

/// Returns what the user should know of the declarations that a question means.
fn note(
    reader: &Reader<'_, '_, '_>,
    asked: &RelationQuestion,
    declared: &[DeclarationRef],
    is_unused: bool,
) -> Option<String> {
    let place = |at: &DeclarationRef| {
        let one = reader.view((HOME, *at))?;
        let path = quoted(one.file.path());
        let kind = labels::declaration_kind(one.row.kind);
        Some(format!("{kind} {} ({path}:{})", one.symbol_path(), one.row.name_line))
    };
    let mut all: Vec<String> = declared.iter().take(NOTED).filter_map(place).collect();
    if declared.len() > NOTED {
        all.push(format!("{} more", declared.len() - NOTED));
    }
    let all = all.join(", ");
    // A key or a title is hardly called, and a name in another case may mean something else.
    let name = WrittenName::parse(&asked.symbol).name;
    let is_meant = |at: &DeclarationRef| {
        let view = reader.view((HOME, *at));
        view.is_some_and(|one| one.name() == name && fits(ReferenceKind::Use, one.row.kind))
    };
    match (declared.len(), is_unused) {
        (_, true) if !declared.iter().any(is_meant) => None,
        (_, true) => {
            let end = if asked.direction == Direction::Outgoing { "from" } else { "to" };
            Some(format!("no reference {end} {all} was found; the results show similar code"))
        }
        (1, false) => None,
        (n, false) => {
            let declarations = counted(n, "declaration has", "declarations have");
            let is_cut = n > MAX_SYMBOLS;
            let rest = if is_cut {
                format!("; only references of the first {MAX_SYMBOLS} were looked up")
            } else {
                String::new()
            };
            Some(format!(
                "{declarations} the name '{}': {all}{rest}; to choose one, write TYPE.NAME, PATH:NAME or PATH:LINE",
                asked.symbol
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_may_only_export_a_name() {
        for (text, expected) in [
            ("module.exports = { open, send };\n", true),
            ("const a = 1;\nmodule.exports = {\n  open,\n  send,\n};\n", true),
            ("exports.post = send;\n", true),
            ("export { open, send };\n", true),
            ("export default send;\n", true),
            ("const routes = {\n  post: send,\n};\n", false),
            ("module.exports = { open };\nroutes.push(send);\n", false),
            ("export const routes = [send];\n", false),
            ("send", false),
        ] {
            assert_eq!(is_in_export(text, text.find("send").unwrap()), expected, "{text}");
        }
        assert!(!is_in_export("", 7));
    }
}

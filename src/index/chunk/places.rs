//! References from mentions: each chunk records a reference once, without its places.
//!
//! [`reference_places`] makes the same references from a text again, and says where each of them
//! stands. So those who show a reference need not guess its place from the words of the text.

use super::lines::{Lines, offset};
use super::mention::Mention;
use super::{
    Chunk, ChunkOptions, Declaration, DeclarationKind, LOCAL_ALIAS, Language, Reading, Reference,
    ReferenceKind, clip, cut_along_syntax, embedded_language, own_members, parse,
};
use crate::base::text::{head, words};
use std::borrow::Cow;
use std::collections::HashSet;

/// A place of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferencePlace {
    /// The first byte of its name, or of the word that stands for it (`super`).
    pub at: u32,
    /// The reference.
    pub reference: Reference,
    /// Whether the chunk records it. A use is left out if the chunk calls the same thing.
    pub is_recorded: bool,
}

/// Longest distance, in bytes, between a mention and its name.
const MAX_DISTANCE: usize = 512;

/// Returns where the references of a text are, in order. `None` if the text is not cut along its
/// syntax.
pub fn reference_places(
    language: Language,
    text: &str,
    options: &ChunkOptions,
) -> Option<Vec<ReferencePlace>> {
    let text = clip(text);
    // Documents and templates mention names of other languages, which are found by their words.
    if language.scanner().is_some_and(|one| !one.is_exact) {
        return None;
    }
    let lines = Lines::new(text);
    let (file, mentions) =
        cut_along_syntax(language, &lines, options, Reading::of(parse::is_parseable(text))).ok()?;
    let found = in_chunks(&file.declarations, &file.chunks, mentions);
    let mentioned = mentioned(&found);
    let fields = fields(&file.declarations);
    let mut places: Vec<ReferencePlace> = found
        .iter()
        .map(|one| ReferencePlace {
            at: name_at(text, &one.mention),
            is_recorded: is_recorded(one, &mentioned, &fields),
            reference: reference(one.clone()),
        })
        .collect();
    places.sort_by_key(|one| one.at);
    Some(places)
}

/// Returns where the name of a mention begins.
fn name_at(text: &str, one: &Mention<'_>) -> u32 {
    // The text writes such a name in another way: in parts, or in capitals.
    if matches!(one.name, Cow::Owned(_)) {
        return one.name_at;
    }
    let is_name = |at: u32| text.get(at as usize..).is_some_and(|rest| rest.starts_with(&*one.name));
    // A constructor is called by a word.
    let is_word = || text.get(one.at as usize..).is_some_and(|rest| rest.starts_with(&*one.alias));
    if is_name(one.name_at) || one.kind == ReferenceKind::Call && !one.alias.is_empty() && is_word() {
        return one.name_at;
    }
    let after = head(text.get(one.at as usize..).unwrap_or_default(), MAX_DISTANCE);
    words(after, &one.name).next().map_or(one.name_at, |distance| one.at + offset(distance))
}

/// Returns the references of the chunks, and drops duplicates before any string is allocated.
pub(super) fn references(
    declarations: &[Declaration],
    chunks: &[Chunk],
    mentions: Vec<Mention<'_>>,
) -> Vec<Reference> {
    let mut found = in_chunks(declarations, chunks, mentions);
    fn key<'m>(of: &'m ChunkMention<'_>) -> (u32, ReferenceKind, &'m str, &'m str, &'m str) {
        let one = &of.mention;
        (of.chunk, one.kind, &one.name, &one.qualifier, &one.alias)
    }
    found.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
    found.dedup_by(|a, b| key(a) == key(b));
    let mentioned = mentioned(&found);
    let fields = fields(declarations);
    let is_new: Vec<bool> = found.iter().map(|one| is_recorded(one, &mentioned, &fields)).collect();
    let kept = found.into_iter().zip(is_new).filter(|(_, is_new)| *is_new);
    kept.map(|(one, _)| reference(one)).collect()
}

fn reference(of: ChunkMention<'_>) -> Reference {
    let one = of.mention;
    Reference {
        chunk: of.chunk,
        kind: one.kind,
        name: one.name.into_owned(),
        qualifier: one.qualifier.into_owned(),
        alias: one.alias.into_owned(),
    }
}

/// A mention, and the chunk that contains it.
#[derive(Debug, Clone)]
struct ChunkMention<'t> {
    /// The chunk's position among those of the file.
    chunk: u32,
    mention: Mention<'t>,
}

/// Assigns each mention to the first chunk that contains it.
fn in_chunks<'t>(
    declarations: &[Declaration],
    chunks: &[Chunk],
    mentions: Vec<Mention<'t>>,
) -> Vec<ChunkMention<'t>> {
    mentions
        .into_iter()
        // Broken syntax can leave a node without text, and so without a name.
        .filter(|mention| !mention.name.is_empty())
        .filter_map(|mut mention| {
            let at = chunks.partition_point(|chunk| chunk.span.bytes.end <= mention.at);
            let chunk = chunks.get(at).filter(|chunk| chunk.span.bytes.start <= mention.at)?;
            own_members::tell(declarations, chunk.declaration, &mut mention);
            Some(ChunkMention { chunk: offset(at), mention })
        })
        .collect()
}

/// Names behind their qualifiers, by chunk.
type MentionedNames<'m> = HashSet<(u32, &'m str, &'m str)>;

/// Returns what each chunk calls, inherits, or names as a type.
fn mentioned<'m>(found: &'m [ChunkMention<'_>]) -> MentionedNames<'m> {
    let is_one = |one: &Mention<'_>| {
        matches!(one.kind, ReferenceKind::Call | ReferenceKind::Type | ReferenceKind::Inherits)
            && one.alias != LOCAL_ALIAS
            && embedded_language(&one.alias).is_none()
    };
    let all = found.iter().filter(|one| is_one(&one.mention));
    all.map(|one| (one.chunk, &*one.mention.qualifier, &*one.mention.name)).collect()
}

/// Returns the names of properties that are written like those of types. A type may have the same
/// name (`Order Order { get; }`).
fn fields(declarations: &[Declaration]) -> HashSet<&str> {
    let all = declarations.iter().filter(|one| one.kind == DeclarationKind::Field);
    all.map(|one| one.name.as_str()).filter(|name| name.starts_with(char::is_uppercase)).collect()
}

/// Returns whether a chunk records a mention. A use adds nothing if the chunk already mentions the
/// same thing in another way, unless it gives the name to other files, or may mean a property.
fn is_recorded(of: &ChunkMention<'_>, mentioned: &MentionedNames<'_>, fields: &HashSet<&str>) -> bool {
    let one = &of.mention;
    let is_export = one.qualifier.is_empty() && !matches!(&*one.alias, "" | LOCAL_ALIAS) && !one.is_own;
    one.kind != ReferenceKind::Use
        || one.is_assigned
        || is_export
        || one.qualifier.is_empty() && fields.contains(&*one.name)
        || !mentioned.contains(&(of.chunk, &*one.qualifier, &*one.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stand_where_their_names_do() {
        let text = "import a from './a'\nfunction f(x) {\n  a(x.map((a) => a.b))\n  return [x.a.b(), a, new a.C()]\n}\n";
        let language = Language::from_name("typescript").unwrap();
        let places = reference_places(language, text, &ChunkOptions::default()).unwrap();
        let of = |name: &str, kind: ReferenceKind| -> Vec<(u32, bool)> {
            let places = places.iter().filter(|one| one.reference.name == name && one.reference.kind == kind);
            places.map(|one| (one.at, one.is_recorded)).collect()
        };
        let at = |what: &str| offset(text.find(what).unwrap());
        assert_eq!(of("a", ReferenceKind::Call), [(at("a(x.map"), true)]);
        assert_eq!(of("a", ReferenceKind::Use), [(at("a, new"), false)]);
        assert_eq!(of("C", ReferenceKind::Call), [(at("C()"), true)]);
        assert_eq!(of("b", ReferenceKind::Call), [(at("b()"), true)]);
    }
}

//! Containers: a document with parts in other languages → one walk of them all.
//!
//! Each part is parsed by its own grammar at its own place in the file. Its declarations and
//! references are recorded as in a file of that language. All scripts of a file share their names,
//! so a handler in a template refers to the function in the script. `markup` finds the parts. In an
//! HTML file that is a template (Jinja, Django, Twig), the tags are read too. In a template whose
//! language is another one (ERB, Blade, PHP), the scripts and style sheets carry a mark.

use super::declaration_order::{around, in_order};
use super::markup::{self, Dialect, Markup, Part, Snippet};
use super::maven;
use super::tags::{self, Tags, has_tag};
use super::vue_options;
use crate::index::chunk::atom::Atom;
use crate::index::chunk::embedded::{self, embedded_language};
use crate::index::chunk::lines::{Lines, offset};
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parse::Budget;
use crate::index::chunk::razor;
use crate::index::chunk::scan::template_marks::Dialect as TagDialect;
use crate::index::chunk::scan::{scss, template};
use crate::index::chunk::walk;
use crate::index::chunk::walk_result::WalkResult;
use crate::index::chunk::{
    ByteRange, Declaration, DeclarationKind, Language, ReferenceKind, complete, parse,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// Adds the parts of a document to the walk of the document itself. `limit` is that of
/// [`walk::walk`].
pub(in crate::index::chunk) fn add<'t>(
    language: Language,
    mut host: WalkResult<'t>,
    lines: &'t Lines<'t>,
    limit: u32,
) -> WalkResult<'t> {
    match language.name() {
        "razor" => return razor::add(host, lines, limit),
        "yaml" => return with_go_tags(host, lines),
        "sql" => return with_jinja_tags(host, lines),
        "xml" => maven::add(&mut host.declarations, lines),
        name => {
            if let Some(tags) = Tags::of(name) {
                return with_markup(host, tags, lines, limit);
            }
        }
    }
    let Some(dialect) = Dialect::of(language.name()) else { return host };
    let tags = if dialect == Dialect::Html { tags_in_html(lines.text()) } else { None };
    let masked = tags.and_then(|tags| tags.masked(lines.text()));
    let markup = markup::read(dialect, as_text(masked.as_deref(), lines));
    let of_vue = (dialect == Dialect::Vue).then_some(&markup);
    let source = Source { lines, limit, masked: masked.as_deref(), of_vue };
    host = with_parts(host, &markup.parts, source, false);
    host.mentions.extend(markup.components.iter().map(|one| component(*one, lines.text())));
    if tags == Some(Tags::Template(TagDialect::Jinja))
        && let Some(tags) = (template::JINJA.scan)(lines)
    {
        host = merged(host, tags_alone(tags), &[], lines.text());
    }
    match dialect {
        Dialect::Html => with_go_tags(host, lines),
        Dialect::Svelte => with_snippets(host, lines),
        _ => host,
    }
}

/// Adds the scripts, style sheets and handlers in the markup of a template whose own language is
/// not that of the markup.
fn with_markup<'t>(host: WalkResult<'t>, tags: Tags, lines: &'t Lines<'t>, limit: u32) -> WalkResult<'t> {
    let mut host = host;
    if tags == Tags::Template(TagDialect::Blade)
        && let Some((seen, blocks)) = tags::php_blocks(lines.text())
    {
        let part = |bytes| Part { language: "php", bytes, is_block: true };
        let parts: Vec<Part> = blocks.into_iter().map(part).collect();
        let source = Source { lines, limit, masked: Some(&seen), of_vue: None };
        host = with_parts(host, &parts, source, true);
    }
    let Some(masked) = tags.masked(lines.text()) else { return host };
    let markup = markup::read(Dialect::Html, as_text(Some(&masked), lines));
    let source = Source { lines, limit, masked: Some(&masked), of_vue: None };
    with_parts(host, &markup.parts, source, true)
}

/// Adds parts in other languages. `is_marked`: they get the mark of their language.
fn with_parts<'t>(
    mut host: WalkResult<'t>,
    parts: &[Part],
    source: Source<'t, '_>,
    is_marked: bool,
) -> WalkResult<'t> {
    let mut by_language: BTreeMap<&'static str, Vec<Part>> = BTreeMap::new();
    for part in parts {
        by_language.entry(part.language).or_default().push(*part);
    }
    for (name, parts) in by_language {
        if let Some((mut group, blocks)) = group_of(name, &parts, source) {
            if is_marked {
                embedded::mark(&mut group, name);
            }
            host = merged(host, group, &blocks, source.lines.text());
        }
    }
    host
}

/// Returns the tags of a template whose language is HTML.
fn tags_in_html(text: &str) -> Option<Tags> {
    if template::is_template(text) {
        Some(Tags::Template(TagDialect::Jinja))
    } else {
        template::is_go_template(text).then_some(Tags::Template(TagDialect::Go))
    }
}

/// Returns masked bytes as a text; the text itself if there are none.
fn as_text<'t>(masked: Option<&'t [u8]>, lines: &'t Lines<'t>) -> &'t str {
    masked.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or(lines.text())
}

/// Returns the call of a component that a tag is.
fn component(tag: ByteRange, text: &str) -> Mention<'_> {
    let written = tag.of(text);
    let (qualifier, name) = written.rsplit_once('.').unwrap_or(("", written));
    let mention = Mention::new(tag.start, ReferenceKind::Call, name, Cow::Borrowed(qualifier));
    Mention { name_at: tag.end - offset(name.len()), ..mention }
}

/// Adds the snippets of a template of Svelte, which `{@render name()}` calls.
fn with_snippets<'t>(host: WalkResult<'t>, lines: &'t Lines<'t>) -> WalkResult<'t> {
    let declaration = |one: Snippet| Declaration {
        name: one.name.of(lines.text()).to_owned(),
        scope: String::new(),
        kind: DeclarationKind::Function,
        parent: None,
        span: lines.span(one.bytes),
        name_line: lines.of(one.name.start) + 1,
        signature: one.head,
        body: ByteRange { start: one.head.end, end: one.bytes.end },
        doc: ByteRange::default(),
    };
    let declarations: Vec<_> = markup::snippets(lines.text()).into_iter().map(declaration).collect();
    if declarations.is_empty() {
        return host;
    }
    merged(host, WalkResult { declarations, ..WalkResult::default() }, &[], lines.text())
}

/// Adds the templates of Go that a text defines and uses, as those of their language. A chart of
/// Helm defines them in one file and uses them in its YAML.
fn with_go_tags<'t>(host: WalkResult<'t>, lines: &'t Lines<'t>) -> WalkResult<'t> {
    if !template::is_go_template(lines.text()) {
        return host;
    }
    let Some(mut tags) = (template::GO.scan)(lines) else { return host };
    tags.atoms.clear();
    let is_import = |one: &Mention<'_>| one.kind == ReferenceKind::Import;
    let (imports, others) = std::mem::take(&mut tags.mentions).into_iter().partition(is_import);
    tags.mentions = others;
    embedded::mark(&mut tags, "go-template");
    tags.mentions.extend::<Vec<_>>(imports);
    merged(host, tags, &[], lines.text())
}

/// Adds the macros that a text in SQL defines and calls (dbt).
fn with_jinja_tags<'t>(host: WalkResult<'t>, lines: &'t Lines<'t>) -> WalkResult<'t> {
    if !lines.text().contains("{%") && !lines.text().contains("{{") {
        return host;
    }
    let Some(mut tags) = (template::JINJA.scan)(lines) else { return host };
    tags.atoms.clear();
    merged(host, tags, &[], lines.text())
}

/// Returns what the tags of a template declare and include. Calls of other names are left out,
/// because the scripts of the document have functions of these names too.
fn tags_alone(mut tags: WalkResult<'_>) -> WalkResult<'_> {
    let imports = tags.mentions.iter().filter(|one| one.kind == ReferenceKind::Import);
    let imported =
        imports.map(|one| if one.alias.is_empty() { one.name.to_string() } else { one.alias.to_string() });
    let known: HashSet<String> =
        imported.chain(tags.declarations.iter().map(|one| one.name.clone())).collect();
    tags.mentions.retain(|one| one.kind != ReferenceKind::Call || known.contains(&*one.name));
    tags.atoms.clear();
    tags
}

/// Adds blocks of one language to the walk of what is around them.
pub(in crate::index::chunk) fn add_blocks<'t>(
    language: Language,
    host: WalkResult<'t>,
    blocks: &[ByteRange],
    lines: &'t Lines<'t>,
    limit: u32,
) -> WalkResult<'t> {
    let name = language.name();
    let part = |&bytes: &ByteRange| Part { language: name, bytes, is_block: true };
    let parts: Vec<Part> = blocks.iter().map(part).collect();
    match group(name, &parts, lines, limit) {
        Some((group, blocks)) => merged(host, group, &blocks, lines.text()),
        None => host,
    }
}

/// Walks the parts of one language as one file; also returns the blocks that could be parsed.
pub(in crate::index::chunk) fn group<'t>(
    name: &str,
    parts: &[Part],
    lines: &'t Lines<'t>,
    limit: u32,
) -> Option<(WalkResult<'t>, Vec<ByteRange>)> {
    group_of(name, parts, Source { lines, limit, masked: None, of_vue: None })
}

/// The document that parts are taken from.
#[derive(Clone, Copy)]
struct Source<'t, 'm> {
    lines: &'t Lines<'t>,
    /// See [`walk::walk`].
    limit: u32,
    /// The whole text without the tags of a template, if it has any.
    masked: Option<&'m [u8]>,
    /// The document, if it is a component of Vue.
    of_vue: Option<&'m Markup>,
}

/// As [`group`]. What the tags of a template put in is neither a name nor a reference.
fn group_of<'t>(
    name: &str,
    parts: &[Part],
    source: Source<'t, '_>,
) -> Option<(WalkResult<'t>, Vec<ByteRange>)> {
    let Source { lines, limit, masked, of_vue } = source;
    let language = Language::from_name(name)?;
    let mut all = WalkResult::default();
    let (mut blocks, mut members) = (Vec::new(), Vec::new());
    let Some(resolved) = language.resolved() else {
        matches!(name, "scss" | "less").then_some(())?;
        for part in parts {
            append(&mut all, scss::scan_part(lines, part.bytes));
            blocks.push(part.bytes);
        }
        return Some((all, blocks));
    };
    for part in parts {
        if !parse::is_parseable(part.bytes.of(lines.text())) {
            continue;
        }
        let range = part.bytes.start as usize..part.bytes.end as usize;
        let masked = masked.and_then(|bytes| bytes.get(range));
        let tree = parse::parse_masked(language, lines, &[part.bytes], masked, &mut Budget::default());
        let Some(tree) = tree else { continue };
        let mut one = walk::walk(language, resolved, &tree, lines, limit);
        if part.is_block {
            blocks.push(part.bytes);
            members.extend(of_vue.iter().flat_map(|_| vue_options::members(&tree, lines.text())));
        } else {
            one.atoms.clear();
        }
        append(&mut all, one);
    }
    complete(resolved, lines.text(), &mut all);
    if let Some(markup) = of_vue {
        vue_options::add(&mut all, &members, &blocks, markup, lines);
    }
    let mut all = embedded::add(all, lines);
    if masked.is_some() {
        let written =
            |one: &Mention<'_>| [&one.name, &one.qualifier, &one.alias].iter().all(|it| !has_tag(it));
        all.mentions.retain(written);
        all.declarations = embedded::retained(all.declarations, |one| !has_tag(&one.name));
    }
    Some((all, blocks))
}

/// Appends the walk of a later part.
pub(in crate::index::chunk) fn append<'t>(all: &mut WalkResult<'t>, mut next: WalkResult<'t>) {
    let by = offset(all.declarations.len());
    let shift = |at: &mut Option<u32>| {
        if let Some(at) = at {
            *at += by;
        }
    };
    next.declarations.iter_mut().for_each(|one| shift(&mut one.parent));
    next.mentions.iter_mut().for_each(|one| shift(&mut one.within));
    next.leaves.iter_mut().for_each(|one| shift(&mut one.within));
    next.bound.iter_mut().for_each(|one| one.map(|at| at + by));
    all.declarations.append(&mut next.declarations);
    all.mentions.append(&mut next.mentions);
    all.comments.append(&mut next.comments);
    all.atoms.append(&mut next.atoms);
    all.bound.append(&mut next.bound);
    all.parameters.extend(next.parameters);
    all.leaves.append(&mut next.leaves);
    all.strings.append(&mut next.strings);
}

/// Appends the walk of a part that is inside of something already walked. `around` returns the
/// declaration around a byte; it contains what nothing in the part contains.
pub(in crate::index::chunk) fn append_inside<'t>(
    all: &mut WalkResult<'t>,
    next: WalkResult<'t>,
    around: impl Fn(u32) -> Option<u32>,
) {
    let (declarations, mentions, leaves) = (all.declarations.len(), all.mentions.len(), all.leaves.len());
    append(all, next);
    for one in all.declarations.iter_mut().skip(declarations) {
        one.parent = one.parent.or_else(|| around(one.span.bytes.start));
    }
    let is_bare = |kind| matches!(kind, ReferenceKind::Import | ReferenceKind::Link);
    for one in all.mentions.iter_mut().skip(mentions).filter(|one| !is_bare(one.kind)) {
        one.within = one.within.or_else(|| around(one.at));
    }
    for one in all.leaves.iter_mut().skip(leaves) {
        one.within = one.within.or_else(|| around(one.at));
    }
}

/// Merges the walk of parts into that of the document around. Both are complete.
pub(in crate::index::chunk) fn merged<'t>(
    host: WalkResult<'t>,
    group: WalkResult<'t>,
    blocks: &[ByteRange],
    text: &str,
) -> WalkResult<'t> {
    let declarations = declarations(host.declarations, group.declarations, blocks);
    let mut out = WalkResult { declarations, mentions: host.mentions, ..WalkResult::default() };
    out.mentions.extend(group.mentions);
    out.comments = host.comments;
    out.comments.extend(group.comments);
    out.comments.sort_unstable();
    out.comments.dedup_by(|next, kept| next.start < kept.end);
    out.atoms = host.atoms.iter().flat_map(|atom| outside(*atom, blocks, text)).collect();
    out.atoms.extend(group.atoms);
    out.atoms.sort_by_key(|atom| atom.bytes.start);
    out
}

/// Merges declarations in order, outer before inner. The element around a block is left out if only
/// its tag names it.
///
/// A declaration in another language counts as inside of the host's declaration around it. A record
/// stores how deep a declaration is, so at depth 0 it would take the rest of a class for its own.
/// Its mark says that it is not a member.
pub(in crate::index::chunk) fn declarations(
    host: Vec<Declaration>,
    group: Vec<Declaration>,
    blocks: &[ByteRange],
) -> Vec<Declaration> {
    let is_tag = |one: &Declaration| {
        let bytes = one.span.bytes;
        let holds = |block: &ByteRange| bytes.start <= block.start && block.end <= bytes.end;
        one.kind == DeclarationKind::Element
            && matches!(one.name.as_str(), "script" | "style" | "SCRIPT" | "STYLE")
            && blocks.iter().any(holds)
    };
    let n_host = host.len();
    let by = offset(n_host);
    let mut all = host;
    let is_kept: Vec<bool> = all.iter().map(|one| !is_tag(one)).collect();
    let is_kept = |at: usize| is_kept.get(at) != Some(&false);
    for mut one in group {
        one.parent = match one.parent {
            Some(parent) => Some(parent + by),
            None if embedded_language(&one.scope).is_some() => {
                around(all.get(..n_host).unwrap_or_default(), one.span.bytes, is_kept)
            }
            None => None,
        };
        all.push(one);
    }
    in_order(&all, is_kept).0
}

/// Returns the pieces of an atom that are outside of all blocks.
pub(in crate::index::chunk) fn outside(atom: Atom, blocks: &[ByteRange], text: &str) -> Vec<Atom> {
    let mut pieces = Vec::new();
    let mut start = atom.bytes.start;
    let met = blocks.iter().filter(|one| one.start < atom.bytes.end && one.end > atom.bytes.start);
    let ends = met.map(|one| (one.start, one.end)).chain([(atom.bytes.end, atom.bytes.end)]);
    for (end, next) in ends {
        let written = ByteRange { start, end: end.max(start) }.of(text);
        let from = start + offset(written.len() - written.trim_start().len());
        let to = start + offset(written.trim_end().len());
        if from < to {
            pieces.push(Atom { bytes: ByteRange { start: from, end: to }, ..atom });
        }
        start = next.max(start);
    }
    pieces
}

//! Pages: a file or a declaration → its comments, signature and relations.
//!
//! Owns the gathering: doc comments come from the source, relations from the graph. The view
//! ([`Page`]) renders it. The same index and sources give the same page.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bstr::{BStr, ByteSlice};

use super::view::labels;
use super::view::{Member, Page, PagePlace, RelatedItem, RelatedList, Subject, head_comment};
use crate::base::text::{named_path, path, quoted};
use crate::index::chunk::{ByteRange, DeclarationKind, ReferenceKind, doc_text, first_sentence};
use crate::search::graph::{DeclarationRef, Graph, Graphs, is_function, is_type};
use crate::search::segment::{ChunkRef, DeclarationView, FileView, Index};

use super::links::link_paths;
use super::relations::rules::is_member;
use super::relations::{RelatedPlace, RelatedPlaces, Relation, RelationQuery};
use super::relations::{graphs_of, members_of, referred, relations_of};
use super::results::commentary;
use crate::search::{OutsideModels, Result, Searcher};

/// Maximum number of declarations of one name on a page.
const MAX_SUBJECTS: usize = 5;
/// Maximum number of members listed for one subject.
const MAX_MEMBERS: usize = 500;
/// Maximum number of a file's declarations whose referrers are looked up. A file with more is data.
const MAX_DECLARATIONS: usize = 1000;
/// Maximum number of names shown for a related file.
const MAX_NAMES: usize = 5;
/// Number of bytes at a file's start in which its description is searched.
const HEAD_BYTES: usize = 16 << 10;

/// The subject to explain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainQuery {
    /// `path`, `path:symbol`, `path:line`, or `symbol`; paths from the root of the repository.
    pub place: String,
    /// Most places in each list.
    pub limit: usize,
    /// Most declarations in the list of what is inside.
    pub member_limit: usize,
}

impl ExplainQuery {
    /// Asks for a page with at most twenty places in each list, and with all that is inside.
    pub fn new(place: impl Into<String>) -> Self {
        Self { place: place.into(), limit: 20, member_limit: usize::MAX }
    }

    /// Sets the maximum length of each list.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        (self.limit, self.member_limit) = (limit, limit);
        self
    }
}

/// The page of a file or a declaration. `None` if nothing has that name.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn explain(searcher: &Searcher, models: &dyn OutsideModels, what: &ExplainQuery) -> Result<Option<Page>> {
    let index = searcher.index();
    let mut page = Page {
        title: what.place.clone(),
        commit: searcher.commit().map(|commit| commit.to_string()),
        worktree: searcher.is_worktree(),
        ..Page::default()
    };
    let indexes = [index];
    let graphs = graphs_of(&[searcher], &indexes);
    let ([index], Some(graph)) = (&indexes, graphs.graph(0)) else { return Ok(None) };
    let file = index.file_by_path(named_path(&what.place).as_bstr());
    if let Some(file) = file.filter(|file| !file.flags().is_skipped()) {
        page.subjects.push(file_subject(searcher, &graphs, &file, what.limit)?);
    } else {
        let found = named(graph, &what.place)?;
        page.subjects = member_subjects(searcher, &graphs, what)?;
        let found = if page.subjects.is_empty() { found } else { Vec::new() };
        if found.is_empty() && page.subjects.is_empty() {
            return Ok(None);
        }
        page.more = found.len().saturating_sub(MAX_SUBJECTS);
        let query = RelationQuery {
            symbol: String::new(),
            relations: BTreeSet::from([Relation::Callers, Relation::Callees, Relation::Implementers]),
            depth: 1,
            // Calls and names share a list in the page.
            limit: what.limit.saturating_mul(4),
            certain: false,
            overriders: false,
        };
        let of = found.into_iter().take(MAX_SUBJECTS);
        // The page is complete without them.
        let index_notes = models.notes(searcher).ok().flatten();
        for (view, relations) in relations_of(searcher, graphs, of, &query)? {
            let mut subject = subject(searcher, index, &view);
            let chunk = ChunkRef { part: view.file.part, ord: view.file.segment.chunk_of_name(&view.row) };
            subject.commentary = index_notes
                .as_ref()
                .and_then(|all| all.of_chunk(index, view.file.path(), chunk))
                .map(commentary);
            let path = subject.place.path.clone();
            let callees = relations.callees.unwrap_or_default();
            let is = |kind: &'static str| move |one: &RelatedPlace| one.relation == kind;
            let part = |keep: &dyn Fn(&RelatedPlace) -> bool| RelatedPlaces {
                items: callees.items.iter().filter(|one| keep(one)).cloned().collect(),
                more: 0,
            };
            let inherits = part(&is("inherits"));
            let mut calls = part(&|one| one.relation == "call");
            let names = part(&|one| !matches!(one.relation, "inherits" | "call"));
            calls.more = callees.more;
            for (title, listed, here) in [
                ("Inherits", inherits, true),
                ("Inherited or implemented by", relations.implementers.unwrap_or_default(), false),
                ("Called or referred to by", relations.callers.unwrap_or_default(), false),
                ("Calls", calls, true),
                ("Refers to", names, true),
            ] {
                push(&mut subject, title, listed, here.then_some(&path), what.limit);
            }
            if let Some(mentioned) = relations.mentioned.filter(|one| !one.files.is_empty()) {
                let of_file = |path: String| RelatedItem {
                    place: PagePlace {
                        path,
                        start_line: 1,
                        end_line: 1,
                        kind: "file".to_owned(),
                        ..PagePlace::default()
                    },
                    ..RelatedItem::default()
                };
                let title = "Files with unresolved mentions of the name".to_owned();
                let more = mentioned.more + mentioned.files.len().saturating_sub(what.limit);
                let items = mentioned.files.into_iter().take(what.limit).map(of_file).collect();
                subject.related.push(RelatedList { title, items, more });
            }
            page.subjects.push(subject);
        }
    }
    for subject in &mut page.subjects {
        subject.more_members = subject.members.len().saturating_sub(what.member_limit);
        subject.members.truncate(what.member_limit);
    }
    page.modified = modified(searcher, &page);
    Ok(Some(page))
}

/// The declarations that `path:symbol` or `symbol` means. In a file, a symbol may be any text, such
/// as a title.
fn named(graph: &Graph<'_, '_>, place: &str) -> Result<Vec<DeclarationRef>> {
    for (at, _) in place.match_indices(':') {
        let (path, symbol) = (place.get(..at).unwrap_or_default(), place.get(at + 1..).unwrap_or_default());
        let Some(file) = graph.index().file_by_path(named_path(path).as_bstr()) else { continue };
        let found: Vec<DeclarationRef> = file
            .declarations()
            .filter(|one| one.name() == symbol || one.symbol_path() == symbol)
            .map(|one| DeclarationRef { part: file.part, ord: one.ord })
            .collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(graph.find_most_used(place)?)
}

/// The members that the index leaves out and that a place names, with the places that refer to
/// them. None if a declaration has the name.
fn member_subjects(
    searcher: &Searcher,
    graphs: &Graphs<'_, '_>,
    what: &ExplainQuery,
) -> Result<Vec<Subject>> {
    let query = RelationQuery::new(what.place.as_str())
        .with_relations(BTreeSet::from([Relation::Callers]))
        .with_limit(what.limit);
    let members = members_of(searcher, graphs, &query)?.into_iter().take(MAX_SUBJECTS);
    let subjects = members.map(|one| {
        let path = named_path(&one.place.path);
        let text = searcher.text(path.as_bstr()).unwrap_or_default();
        let line = text.lines().nth(one.place.line.saturating_sub(1) as usize).unwrap_or_default();
        let file = graphs.graph(0).and_then(|graph| graph.index().file_by_path(path.as_bstr()));
        let mut subject = Subject {
            place: PagePlace {
                path: one.place.path,
                start_line: one.place.line,
                end_line: one.place.end_line,
                symbol: one.place.symbol,
                kind: one.place.kind,
            },
            language: file.map_or("", |file| file.language()).to_owned(),
            signature: line.trim().to_owned(),
            doc: String::new(),
            commentary: None,
            members: Vec::new(),
            more_members: 0,
            related: Vec::new(),
        };
        push(&mut subject, "Called or referred to by", one.callers.unwrap_or_default(), None, what.limit);
        subject
    });
    Ok(subjects.collect())
}

/// A declaration without its relations.
fn subject(searcher: &Searcher, index: &Index<'_>, one: &DeclarationView<'_>) -> Subject {
    let text = searcher.text(one.file.path());
    let text = text.as_deref().unwrap_or_default();
    let language = one.file.language();
    // Declarations inside a function are not listed.
    let mut members =
        if is_function(one.row.kind) { Vec::new() } else { members(&one.file, Some(one.ord), text) };
    let has_fields = is_type(one.row.kind) && members.is_empty();
    if is_type(one.row.kind) {
        members.extend(members_outside(searcher, index, one));
        members.truncate(MAX_MEMBERS);
    }
    let doc = match one.row.kind {
        DeclarationKind::Section => lead(one.row.body.of(text), &members).to_owned(),
        _ => doc_text(one.row.doc.of(text), language),
    };
    let signature = match one.row.kind {
        DeclarationKind::Section => String::new(),
        // The fields of a structure are not declarations of their own.
        _ if has_fields => outdented(text, ByteRange { end: one.row.span.bytes.end, ..one.row.signature }),
        _ => outdented(text, one.row.signature),
    };
    Subject {
        place: place_of(one),
        language: language.to_owned(),
        signature,
        doc,
        commentary: None,
        members,
        more_members: 0,
        related: Vec::new(),
    }
}

/// The members of a type that stand outside of it, in the files of its folder: methods of Go, and
/// those in implementations of Rust.
fn members_outside(searcher: &Searcher, index: &Index<'_>, ty: &DeclarationView<'_>) -> Vec<Member> {
    let folder = |path: &BStr| -> Vec<u8> { path::parent(path).to_vec() };
    let own = folder(ty.file.path());
    let mut found = Vec::new();
    for file in index.files() {
        if file.language() != ty.file.language() || folder(file.path()) != own {
            continue;
        }
        let is_inside = |one: &DeclarationView<'_>| {
            one.row.parent == Some(ty.ord) && (one.file.part, one.file.ord) == (ty.file.part, ty.file.ord)
        };
        let outside: Vec<_> =
            file.declarations().filter(|one| !is_inside(one) && is_member(one, ty)).collect();
        if outside.is_empty() {
            continue;
        }
        let text = searcher.text(file.path());
        let text = text.as_deref().unwrap_or_default();
        found.extend(outside.iter().map(|one| Member {
            place: place_of(one),
            name: one.name().to_owned(),
            depth: 0,
            summary: first_sentence(&doc_text(one.row.doc.of(text), file.language())),
        }));
    }
    found
}

/// The text of a section before its first subsection; `members` says whether there is one.
fn lead<'t>(body: &'t str, members: &[Member]) -> &'t str {
    if members.is_empty() {
        return body;
    }
    let mut end = body.len();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if line.starts_with('#') {
            end = at;
            break;
        }
        at += line.len();
    }
    body.get(..end).unwrap_or_default()
}

/// A signature without the indentation of its first line.
fn outdented(text: &str, signature: ByteRange) -> String {
    let before = text.get(..signature.start as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let indent = if line.trim().is_empty() { line } else { "" };
    let lines = signature.of(text).trim_end().lines();
    lines.map(|line| line.strip_prefix(indent).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

fn place_of(one: &DeclarationView<'_>) -> PagePlace {
    PagePlace {
        path: quoted(one.file.path()).into_owned(),
        start_line: one.row.name_line.min(one.row.span.end_line),
        end_line: one.row.span.end_line,
        symbol: one.symbol_path(),
        kind: labels::declaration_kind(one.row.kind).to_owned(),
    }
}

/// The declarations in another one, or in the whole file, except those inside functions.
fn members(file: &FileView<'_>, of: Option<u32>, text: &str) -> Vec<Member> {
    // The nesting depth of the subject and of each listed declaration.
    let mut depths: BTreeMap<u32, usize> = of.map(|ord| (ord, 0)).into_iter().collect();
    let mut members = Vec::new();
    for one in file.declarations() {
        let depth = match one.row.parent {
            None if of.is_none() => 0,
            None => continue,
            Some(parent) => match depths.get(&parent) {
                Some(depth) if Some(parent) == of => *depth,
                Some(depth) => depth + 1,
                None => continue,
            },
        };
        if Some(one.ord) == of || members.len() >= MAX_MEMBERS {
            continue;
        }
        if !is_function(one.row.kind) {
            depths.insert(one.ord, depth);
        }
        members.push(Member {
            place: place_of(&one),
            name: one.name().to_owned(),
            depth,
            summary: first_sentence(&doc_text(one.row.doc.of(text), file.language())),
        });
    }
    members
}

/// A file: its description, its declarations, the files it uses, and those that use it.
fn file_subject(
    searcher: &Searcher,
    graphs: &Graphs<'_, '_>,
    file: &FileView<'_>,
    limit: usize,
) -> Result<Subject> {
    let Some(graph) = graphs.graph(0) else { return Ok(Subject::default()) };
    let text = searcher.text(file.path());
    let text = text.as_deref().unwrap_or_default();
    let path = quoted(file.path()).into_owned();
    let n_lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1);
    let mut subject = Subject {
        place: PagePlace {
            path: path.clone(),
            start_line: 1,
            end_line: n_lines,
            symbol: String::new(),
            kind: "file".to_owned(),
        },
        language: file.language().to_owned(),
        signature: String::new(),
        doc: head_doc(text, file),
        commentary: None,
        members: members(file, None, text),
        more_members: 0,
        related: Vec::new(),
    };
    let (mut uses, mut used_by) = (Files::default(), Files::default());
    let mut links = Vec::new();
    let mut seen = HashSet::new();
    for ord in file.segment.chunks_of(file.ord) {
        let chunk = ChunkRef { part: file.part, ord };
        for (_, edge) in graphs.outgoing(0, chunk)?.into_iter().filter(|(_, edge)| edge.evidence.is_certain())
        {
            if let Some((other, row)) = graph.declaration(edge.to) {
                uses.add(file, &other, other.segment.name(&row));
            }
        }
        for mention in file.segment.mentions(ord)? {
            if mention.kind == ReferenceKind::Link && seen.insert(mention.name) {
                links.push(mention.name);
            }
        }
    }
    let kinds = [
        ReferenceKind::Call,
        ReferenceKind::Type,
        ReferenceKind::Inherits,
        ReferenceKind::Use,
        ReferenceKind::Import,
    ];
    for one in file.declarations().take(MAX_DECLARATIONS) {
        let of = DeclarationRef { part: file.part, ord: one.ord };
        let users = graphs.incoming(0, of, &kinds)?.into_iter();
        for (_, edge) in users.filter(|(_, edge)| edge.evidence.is_certain()) {
            if let Some(other) = graph.file_of(edge.from) {
                used_by.add(file, &other, one.name());
            }
        }
    }
    for (title, files) in [("Used by", used_by), ("Uses", uses)] {
        subject.related.extend(files.list(title, limit));
    }
    let mut list = RelatedList { title: "Links to".to_owned(), ..RelatedList::default() };
    for target in links {
        let Some(item) = link(graph, &path, target) else { continue };
        if list.items.len() < limit { list.items.push(item) } else { list.more += 1 }
    }
    if !list.items.is_empty() {
        subject.related.push(list);
    }
    Ok(subject)
}

/// Files with the names that relate them.
#[derive(Default)]
struct Files<'s>(BTreeMap<String, (BTreeSet<&'s str>, bool)>);

impl<'s> Files<'s> {
    fn add(&mut self, own: &FileView<'_>, other: &FileView<'s>, name: &'s str) {
        if (own.part, own.ord) != (other.part, other.ord) {
            let path = quoted(other.path()).into_owned();
            self.0.entry(path).or_insert((BTreeSet::new(), other.flags().is_test())).0.insert(name);
        }
    }

    /// Files with the most names first, tests last.
    fn list(self, title: &str, limit: usize) -> Option<RelatedList> {
        let mut files: Vec<_> = self.0.into_iter().collect();
        files.sort_by_key(|(_, (names, is_test))| (*is_test, std::cmp::Reverse(names.len())));
        let more = files.len().saturating_sub(limit);
        let items: Vec<RelatedItem> = files
            .into_iter()
            .take(limit)
            .map(|(path, (names, test))| RelatedItem {
                place: PagePlace {
                    path,
                    start_line: 1,
                    end_line: 1,
                    kind: "file".to_owned(),
                    ..PagePlace::default()
                },
                more_names: names.len().saturating_sub(MAX_NAMES),
                names: names.into_iter().take(MAX_NAMES).map(str::to_owned).collect(),
                test,
                ..RelatedItem::default()
            })
            .collect();
        (!items.is_empty()).then(|| RelatedList { title: title.to_owned(), items, more })
    }
}

/// The target of a link in the file at `from`: a file of the repository, or an address; `None` for
/// anything else.
fn link(graph: &Graph<'_, '_>, from: &str, target: &str) -> Option<RelatedItem> {
    let item = |path: String, kind: &str| RelatedItem {
        place: PagePlace { path, start_line: 1, end_line: 1, kind: kind.to_owned(), ..PagePlace::default() },
        ..RelatedItem::default()
    };
    if target.starts_with("https://") || target.starts_with("http://") {
        return Some(item(target.to_owned(), "url"));
    }
    let is_there = |path: &String| graph.index().file_by_path(named_path(path).as_bstr()).is_some();
    let path = link_paths(from, target).into_iter().find(|path| path != from && is_there(path))?;
    Some(item(path, "file"))
}

/// A file's description: its first comment or docstring that is not a licence; for a document, its
/// first paragraphs.
pub(super) fn head_doc(text: &str, file: &FileView<'_>) -> String {
    let language = file.language();
    let head = crate::base::text::head(text, HEAD_BYTES);
    if language == "markdown" {
        let is_front = head.starts_with("---\n") || head.starts_with("+++\n");
        let body = if is_front {
            head.get(4..).and_then(|rest| rest.split_once("\n---").or(rest.split_once("\n+++")))
        } else {
            None
        };
        let body = body.map_or(head, |(_, after)| after.trim_start_matches(['-', '+']));
        let body = body.trim_start();
        // The title is in the list of members.
        let body = match body.strip_prefix("# ") {
            Some(rest) => rest.split_once('\n').map_or("", |(_, rest)| rest),
            None => body,
        };
        let heading = body.find("\n#").unwrap_or(body.len());
        return body.get(..heading).unwrap_or_default().trim().to_owned();
    }
    if matches!(language, "asciidoc" | "mediawiki" | "org" | "pod" | "restructuredtext" | "texinfo") {
        // From the end of the title to the next heading.
        let mut all = file.declarations().map(|one| one.row);
        let from = all.next().map_or(0, |one| one.signature.end as usize);
        let to = all.map(|one| one.span.bytes.start as usize).find(|&start| start > from);
        let to = to.unwrap_or(head.len()).min(head.len());
        return head.get(from..to).unwrap_or_default().trim().to_owned();
    }
    let is_of_declaration = |at: usize| {
        file.declarations().any(|one| !one.row.doc.is_empty() && one.row.doc.start as usize <= at + 1)
    };
    match head_comment(head, language) {
        // Text before the first declaration may be about that declaration.
        Some(range) if !is_of_declaration(range.start) => {
            doc_text(head.get(range).unwrap_or_default(), language)
        }
        _ => String::new(),
    }
}

/// Adds a list unless it is empty. `here` is the path of the subject if that mentions the others.
fn push(subject: &mut Subject, title: &str, listed: RelatedPlaces, here: Option<&String>, limit: usize) {
    if listed.items.is_empty() {
        return;
    }
    let more = listed.more + listed.items.len().saturating_sub(limit);
    let items = listed
        .items
        .into_iter()
        .take(limit)
        .map(|one| {
            let at = here.map_or_else(|| one.place.path.clone(), String::clone);
            RelatedItem {
                at: Some((at, one.at)),
                participle: if here.is_some() { referred(one.relation) } else { "" },
                guess: (!one.certain).then_some(one.how),
                test: one.test,
                place: PagePlace {
                    path: one.place.path,
                    start_line: one.place.line.min(one.place.end_line),
                    end_line: one.place.end_line,
                    symbol: one.place.symbol,
                    kind: one.place.kind,
                },
                ..RelatedItem::default()
            }
        })
        .collect();
    subject.related.push(RelatedList { title: title.to_owned(), items, more });
}

/// The files of a page that differ from the commit.
fn modified(searcher: &Searcher, page: &Page) -> BTreeSet<String> {
    let subjects = page.subjects.iter().map(|subject| &subject.place.path);
    let related = page.subjects.iter().flat_map(|subject| &subject.related).flat_map(|list| &list.items);
    subjects
        .chain(related.map(|item| &item.place.path))
        .filter(|path| searcher.is_dirty(named_path(path).as_bstr()))
        .cloned()
        .collect()
}

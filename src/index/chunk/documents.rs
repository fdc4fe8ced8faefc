//! JSON lines: a file with one document per line → chunks of each document, with its title.
//!
//! A corpus has documents of this form: `{"id", "title", "text", "url", "sections", "timestamp"}`.
//! A document is cut at paragraphs, sentences or blanks of its text, never inside an escape. Its
//! title is its symbol, and its sections are nested below. A line that is not a document is a line
//! of plain text. If fewer than half of the lines are documents, the file is cut into windows
//! instead.
//!
//! The parser of lines borrows from the text, does not recurse into values that it does not need,
//! and takes time proportional to the text. Other fields of a document are not stored: [`document`]
//! reads them from the source again when a result is shown.

use super::lines::{Lines, offset};
use super::{ByteRange, Chunk, ChunkKind, ChunkedFile, Declaration, DeclarationKind, Method};
use crate::base::text::head;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Documents and sections per file; a file with more is data.
const MAX_DOCUMENTS: usize = 1 << 16;
/// Longest title in bytes; a record stores fewer.
const MAX_TITLE: usize = 200;
/// Longest address in bytes, about as long as servers accept.
const MAX_URL: usize = 2000;
/// Longest id or time in bytes.
const MAX_FIELD: usize = 200;
/// Bytes after which a text without blanks may be cut.
const STEP: usize = 64;
/// Bytes at the beginning of a Markdown text that are searched for metadata.
const FRONT_BYTES: usize = 4 << 10;

/// Fields that can hold the text; the first one that is present counts.
const TEXT: [&str; 4] = ["text", "contents", "content", "body"];

/// The metadata of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// Its id in the corpus; empty if there is none.
    pub id: String,
    /// Its title; empty if there is none.
    pub title: String,
    /// Its address on the web, `http` or `https`; empty if there is none.
    pub url: String,
    /// The time at which it was made, as written; empty if it is not given.
    pub timestamp: String,
}

/// Returns the metadata of the document at `at` in `text`: of the line of a JSON-lines file, or
/// from before a Markdown text (`---`).
///
/// `None` for other languages, and if there is no title, address, id or time.
pub fn document(language: &str, text: &str, at: ByteRange) -> Option<Document> {
    let found = match language {
        "json-lines" => {
            let before = text.get(..at.start as usize)?.rfind('\n').map_or(0, |feed| feed + 1);
            let line = text.get(before..)?.split('\n').next()?;
            Line::parse(line)?.document()
        }
        "markdown" => front_matter(text)?,
        _ => return None,
    };
    (found != Document::default()).then_some(found)
}

/// Reads the metadata at the beginning of a text, as far as each field is on one line.
fn front_matter(text: &str) -> Option<Document> {
    let text = head(text, FRONT_BYTES).trim_start_matches('\u{feff}');
    let mut lines = text.lines();
    let mark = lines.next().map(str::trim_end).filter(|mark| matches!(*mark, "---" | "+++"))?;
    let mut found = Document::default();
    for line in lines {
        if line.trim_end() == mark {
            return Some(found);
        }
        let Some((key, value)) = line.split_once(if mark == "---" { ':' } else { '=' }) else { continue };
        let value = value.trim().trim_matches(['"', '\'']);
        match key.trim_end() {
            "title" => found.title = clipped(value, MAX_TITLE),
            "url" | "link" | "canonical_url" => found.url = address(value),
            "id" => found.id = clipped(value, MAX_FIELD),
            "date" | "timestamp" => found.timestamp = clipped(value, MAX_FIELD),
            _ => {}
        }
    }
    None
}

/// Returns the text on one line, with single blanks instead of white space and control characters,
/// cut to at most this many bytes.
fn clipped(text: &str, most: usize) -> String {
    let mut out = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > most {
            break;
        }
    }
    out.truncate(head(&out, most).len());
    out
}

/// Returns an address that is safe to show and follow; empty for anything else.
fn address(text: &str) -> String {
    let is_known = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '\\' | '`' | '{' | '}');
    if is_known && text.len() <= MAX_URL && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        String::new()
    }
}

/// A line that may be a document, because it is a JSON object.
struct Line<'t> {
    line: &'t str,
    fields: BTreeMap<String, &'t RawValue>,
}

/// A section of a document.
struct Section {
    title: String,
    bytes: ByteRange,
    signature: ByteRange,
}

impl<'t> Line<'t> {
    /// Parses a line; `None` if it is not an object.
    fn parse(line: &'t str) -> Option<Self> {
        let bare = line.trim_start_matches('\u{feff}').trim();
        if !bare.starts_with('{') {
            return None;
        }
        Some(Self { line, fields: serde_json::from_str(bare).ok()? })
    }

    /// Returns the range of a value in the line.
    fn place(&self, value: &RawValue) -> ByteRange {
        // The value borrows from the line, so its address gives its position.
        let start = value.get().as_ptr().addr().saturating_sub(self.line.as_ptr().addr());
        ByteRange { start: offset(start), end: offset(start + value.get().len()) }
    }

    /// Returns the first of these fields that is a string or a number, on one line.
    fn field(&self, names: &[&str], most: usize) -> String {
        let mut values = names.iter().filter_map(|name| self.fields.get(*name));
        values.find_map(|value| Some(clipped(&scalar(value)?, most))).unwrap_or_default()
    }

    fn document(&self) -> Document {
        let url = self.fields.get("url").and_then(|value| string(value)).unwrap_or_default();
        Document {
            id: self.field(&["id", "_id"], MAX_FIELD),
            title: self.field(&["title"], MAX_TITLE),
            url: address(url.trim()),
            timestamp: self.field(&["timestamp", "date"], MAX_FIELD),
        }
    }

    /// Returns the range of the text: a string, or a list with at least one string.
    fn text(&self) -> Option<ByteRange> {
        let value = TEXT.iter().find_map(|name| self.fields.get(*name))?;
        let is_text = match value.get().as_bytes().first() {
            Some(b'"') => true,
            Some(b'[') => list(value).is_some_and(|all| all.iter().any(|one| one.get().starts_with('"'))),
            _ => false,
        };
        is_text.then(|| self.place(value))
    }

    /// Returns the sections with a title: of a list of `{"title", "text"}`, or of an object of
    /// texts by title.
    fn sections(&self) -> Vec<Section> {
        let Some(value) = self.fields.get("sections") else { return Vec::new() };
        let mut sections = Vec::new();
        if let Some(all) = list(value) {
            for one in all {
                let Ok(fields) = serde_json::from_str::<BTreeMap<String, &RawValue>>(one.get()) else {
                    continue;
                };
                let Some(title) = ["title", "heading", "name"].iter().find_map(|name| fields.get(*name))
                else {
                    continue;
                };
                let Some(name) = string(title) else { continue };
                sections.push(Section {
                    title: clipped(&name, MAX_TITLE),
                    bytes: self.place(one),
                    signature: self.place(title),
                });
            }
        } else if let Ok(fields) = serde_json::from_str::<BTreeMap<String, &RawValue>>(value.get()) {
            for (name, text) in fields {
                let bytes = self.place(text);
                if string(text).is_some() {
                    let signature = ByteRange { start: bytes.start, end: bytes.start };
                    sections.push(Section { title: clipped(&name, MAX_TITLE), bytes, signature });
                }
            }
        }
        sections.retain(|one| !one.title.is_empty());
        sections.sort_by_key(|one| one.bytes);
        sections
    }
}

fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    if !value.get().starts_with('"') {
        return None;
    }
    serde_json::from_str::<String>(value.get()).ok().map(Cow::Owned)
}

fn scalar(value: &RawValue) -> Option<Cow<'_, str>> {
    let is_number = value.get().starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if is_number { Some(Cow::Borrowed(value.get())) } else { string(value) }
}

fn list(value: &RawValue) -> Option<Vec<&RawValue>> {
    if value.get().starts_with('[') { serde_json::from_str(value.get()).ok() } else { None }
}

/// Cuts a file of documents. `None` if fewer than half of its lines are documents, or if there are
/// too many.
pub(super) fn cut(lines: &Lines<'_>, target: u32) -> Option<ChunkedFile> {
    let mut declarations = Vec::new();
    let mut chunks = Vec::new();
    let (mut n_lines, mut n_documents) = (0usize, 0usize);
    for number in 0..lines.len() {
        if lines.blank(number) {
            continue;
        }
        n_lines += 1;
        let bytes = ByteRange { start: lines.start(number), end: lines.end(number) };
        let text = bytes.of(lines.text());
        let found = Line::parse(text).map(|line| (line.text(), line.sections(), line));
        let found = found.filter(|(body, sections, _)| body.is_some() || !sections.is_empty());
        let first = declarations.len();
        let mut kind = ChunkKind::Window;
        let mut starts = Vec::new();
        if let Some((body, sections, line)) = found {
            kind = ChunkKind::Section;
            n_documents += 1;
            let parent = declare(&mut declarations, lines, bytes, &line, body);
            for section in sections {
                starts.push(section.bytes.start);
                let at = |range: ByteRange| ByteRange {
                    start: bytes.start + range.start,
                    end: bytes.start + range.end,
                };
                declarations.push(Declaration {
                    name: section.title,
                    scope: String::new(),
                    kind: DeclarationKind::Section,
                    parent,
                    span: lines.span(at(section.bytes)),
                    name_line: number + 1,
                    signature: at(section.signature),
                    body: at(section.bytes),
                    doc: ByteRange::default(),
                });
            }
        }
        if declarations.len() + n_documents > MAX_DOCUMENTS || n_lines > 64 && n_documents * 2 < n_lines {
            return None;
        }
        let own = declarations.get(first..).unwrap_or_default();
        for piece in pieces(text, &starts, target) {
            let piece = ByteRange { start: bytes.start + piece.start, end: bytes.start + piece.end };
            let within =
                |one: &Declaration| one.span.bytes.start <= piece.start && one.span.bytes.end > piece.start;
            let declaration = own.iter().rposition(within).map(|at| offset(first + at));
            chunks.push(Chunk { span: lines.span(piece), kind, declaration });
        }
    }
    if n_documents * 2 < n_lines || n_documents == 0 {
        return None;
    }
    Some(ChunkedFile {
        method: Method::Syntax,
        n_lines: lines.len(),
        declarations,
        chunks,
        references: Vec::new(),
        comments: Vec::new(),
        errors: None,
    })
}

/// Adds a document under its title or, without one, its id; returns its index.
fn declare(
    declarations: &mut Vec<Declaration>,
    lines: &Lines<'_>,
    bytes: ByteRange,
    line: &Line<'_>,
    body: Option<ByteRange>,
) -> Option<u32> {
    let of = ["title", "id", "_id"].into_iter().find_map(|field| {
        let value = line.fields.get(field)?;
        let name = clipped(&scalar(value)?, MAX_TITLE);
        (!name.is_empty()).then(|| (name, line.place(value)))
    });
    let (name, place) = of?;
    let at = |range: ByteRange| ByteRange { start: bytes.start + range.start, end: bytes.start + range.end };
    let span = lines.span(bytes);
    declarations.push(Declaration {
        name,
        scope: String::new(),
        kind: DeclarationKind::Section,
        parent: None,
        span,
        name_line: span.start_line,
        signature: at(place),
        body: body.map(at).unwrap_or_default(),
        doc: ByteRange::default(),
    });
    Some(offset(declarations.len() - 1))
}

/// The quality of a place to cut at, from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Anywhere,
    Blank,
    Sentence,
    Line,
    Paragraph,
    Section,
}

/// Cuts a line into pieces that cover it. A line above one and a half targets gets pieces of about
/// `target` bytes each. `starts` are the offsets of its sections, in order.
pub(super) fn pieces(line: &str, starts: &[u32], target: u32) -> Vec<ByteRange> {
    let all = ByteRange { start: 0, end: offset(line.len()) };
    if all.len() <= super::cut::limit(target) {
        return vec![all];
    }
    let places = places(line, starts);
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut next = 0;
    while all.end - from > super::cut::limit(target) {
        while places.get(next).is_some_and(|(at, _)| *at <= from) {
            next += 1;
        }
        let ahead = places.get(next..).unwrap_or_default();
        let within = |most: u32| ahead.iter().take_while(move |(at, _)| *at <= from.saturating_add(most));
        let limit = super::cut::limit(target);
        let is_section = |(at, rank): &&(u32, Rank)| *rank == Rank::Section && *at >= from + target / 4;
        let good = within(target).filter(|(at, _)| *at >= from + target / 2);
        let best = within(limit)
            .filter(is_section)
            .last()
            .or_else(|| good.max_by_key(|(at, rank)| (*rank, *at)))
            .or_else(|| within(limit).last())
            .or_else(|| ahead.first());
        let Some(&(at, _)) = best.filter(|(at, _)| *at < all.end) else { break };
        pieces.push(ByteRange { start: from, end: at });
        from = at;
    }
    pieces.push(ByteRange { start: from, end: all.end });
    pieces
}

/// Returns the places where a line of JSON can be cut, in order; none is inside an escape.
fn places(line: &str, starts: &[u32]) -> Vec<(u32, Rank)> {
    let mut places: Vec<(u32, Rank)> = starts.iter().map(|start| (*start, Rank::Section)).collect();
    let bytes = line.as_bytes();
    let (mut at, mut last) = (0, 0);
    let mut was_feed = false;
    while let Some(&byte) = bytes.get(at) {
        let mut rank = None;
        let length = match byte {
            b'\\' => {
                let is_feed = bytes.get(at + 1) == Some(&b'n');
                rank = is_feed.then_some(if was_feed { Rank::Paragraph } else { Rank::Line });
                was_feed = is_feed;
                match bytes.get(at + 1) {
                    // Both halves of a surrogate pair.
                    Some(b'u') if line.get(at + 6..at + 8) == Some("\\u") => 12,
                    Some(b'u') => 6,
                    _ => 2,
                }
            }
            b' ' => {
                was_feed = false;
                let is_end = at > 0 && bytes.get(at - 1).is_some_and(|before| b".!?".contains(before));
                rank = Some(if is_end { Rank::Sentence } else { Rank::Blank });
                1
            }
            _ => {
                was_feed = false;
                1
            }
        };
        at += length;
        if rank.is_none() && at - last >= STEP {
            rank = Some(Rank::Anywhere);
        }
        if let Some(rank) = rank.filter(|_| line.is_char_boundary(at)) {
            places.push((offset(at), rank));
            last = at;
        }
    }
    places.sort_unstable();
    places
}

/// Decodes the escapes in a piece of a JSON text.
///
/// The second value has the start of each part between escapes, in order: (byte in the result, byte
/// in the piece). The first entry is the beginning.
pub fn unescaped(piece: &str) -> (Cow<'_, str>, Vec<(usize, usize)>) {
    if !piece.contains('\\') {
        return (Cow::Borrowed(piece), vec![(0, 0)]);
    }
    let mut out = String::with_capacity(piece.len());
    let mut places = vec![(0, 0)];
    let mut at = 0;
    while let Some(next) = piece.get(at..).and_then(|rest| rest.find('\\')) {
        out.push_str(piece.get(at..at + next).unwrap_or_default());
        at += next;
        let rest = piece.get(at + 1..).unwrap_or_default();
        let mut length = 2;
        match rest.chars().next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b' | 'f') => out.push(' '),
            Some(c @ ('"' | '\\' | '/')) => out.push(c),
            Some('u') => {
                let (c, n) = unit(rest);
                out.push(c);
                length = n;
            }
            // Not an escape: the backslash stands for itself.
            _ => {
                out.push('\\');
                length = 1;
            }
        }
        at = (at + length).min(piece.len());
        places.push((out.len(), at));
    }
    out.push_str(piece.get(at..).unwrap_or_default());
    (Cow::Owned(out), places)
}

/// Returns the character of `uXXXX` or of a surrogate pair, and the length of the escape with its
/// backslashes.
fn unit(text: &str) -> (char, usize) {
    let code = |text: &str| u32::from_str_radix(text.get(1..5)?, 16).ok();
    let Some(first) = code(text) else { return (char::REPLACEMENT_CHARACTER, 2) };
    if (0xd800..0xdc00).contains(&first)
        && text.get(5..7) == Some("\\u")
        && let Some(second) = text.get(6..).and_then(code).filter(|code| (0xdc00..0xe000).contains(code))
    {
        let point = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

#[cfg(test)]
mod tests;

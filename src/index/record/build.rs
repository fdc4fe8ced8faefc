//! A chunked file → its record: the tokens of each chunk, counted by the part they occur in.
//!
//! Words that look like credentials are left out ([`credential`]): indexes are shared.
//!
//! Owns [`tokens`] and [`build`]. A token is what the tokenizers of all programming languages and
//! of prose agree on: a run of letters, digits and underscores. Nothing is split, folded or stemmed
//! here; the segment does that, so that a better splitter needs no new records.

use crate::base::id::ObjectId;
use crate::base::text::identifier::is_keyword;
use crate::base::text::{credential, head};
use crate::index::chunk::{
    ByteRange, ChunkedFile, Declaration, DeclarationKind, Language, Reference, ReferenceKind,
};
use std::collections::HashSet;

use super::{IndexedFile, Keyword, limits};

/// Longest token in bytes in a run of non-ASCII characters; longer runs are cut. Otherwise scripts
/// without spaces would lose whole sentences to [`limits::TOKEN_BYTES`].
const FOREIGN_BYTES: usize = 48;

/// Returns the tokens of `text` with their byte offsets, in order.
///
/// Left out are single ASCII characters, ASCII runs longer than [`limits::TOKEN_BYTES`], numbers
/// longer than 16 characters, and runs of underscores alone.
pub fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    Tokens { text, at: 0 }
}

struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

/// Returns whether an ASCII byte belongs to a token.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<(usize, &'t str)> {
        let bytes = self.text.as_bytes();
        loop {
            let mut start = self.at;
            // Skips to the start of a run: ASCII byte by byte, the rest by characters.
            loop {
                match bytes.get(start) {
                    None => return None,
                    Some(&byte) if byte.is_ascii() => {
                        if is_word_byte(byte) {
                            break;
                        }
                        start += 1;
                    }
                    Some(_) => {
                        let c = self.text.get(start..)?.chars().next()?;
                        if c.is_alphanumeric() {
                            break;
                        }
                        start += c.len_utf8();
                    }
                }
            }
            let mut end = start;
            loop {
                match bytes.get(end) {
                    Some(&byte) if byte.is_ascii() => {
                        if !is_word_byte(byte) {
                            break;
                        }
                        end += 1;
                    }
                    Some(_) => {
                        let Some(c) = self.text.get(end..).and_then(|rest| rest.chars().next()) else {
                            break;
                        };
                        // Combining marks belong to the letter before them.
                        if !c.is_alphanumeric() && !is_mark(c) {
                            break;
                        }
                        if end + c.len_utf8() - start > FOREIGN_BYTES {
                            break;
                        }
                        end += c.len_utf8();
                    }
                    None => break,
                }
            }
            self.at = end;
            let token = self.text.get(start..end)?;
            if is_kept(token) {
                return Some((start, token));
            }
        }
    }
}

/// Returns whether a character is a combining mark of a script that writes vowels or accents with
/// them.
fn is_mark(c: char) -> bool {
    matches!(
        u32::from(c),
        0x0300..=0x036f | 0x0591..=0x05c7 | 0x064b..=0x065f | 0x0900..=0x0dff | 0x0e30..=0x0e4e
    )
}

fn is_kept(token: &str) -> bool {
    !token.is_empty() && token.len() <= limits::TOKEN_BYTES && is_keyword(token)
}

/// The part of a chunk that a token occurs in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Doc,
    Signature,
    Body,
}

/// Builds the record of a file from its text and its chunks.
///
/// No word, name or reference that looks like a credential is recorded. A name of a function or
/// type that only looks random is recorded, because the syntax says what it is.
/// Names are normalised: no line feeds, at most [`limits::STRING_BYTES`] bytes. Declarations deeper
/// than [`limits::DEPTH`] become children of the deepest one kept. Cost: one pass over the text and
/// a sort per chunk.
pub fn build(blob: ObjectId, language: &str, text: &str, mut chunked: ChunkedFile) -> IndexedFile {
    let signatures: Vec<ByteRange> = merged(chunked.declarations.iter().map(|d| d.signature));
    let spoken = Language::from_name(language).unwrap_or(Language::TEXT);
    let suspects = credential::ranges(text);
    let declared: HashSet<&str> = match !suspects.is_empty() && spoken.table().is_some() {
        true => chunked.declarations.iter().filter(|one| is_declared(one)).map(|one| &*one.name).collect(),
        false => HashSet::new(),
    };
    let secrets: Vec<ByteRange> = suspects
        .into_iter()
        .filter_map(|(start, end)| {
            Some(ByteRange { start: u32::try_from(start).ok()?, end: u32::try_from(end).ok()? })
        })
        .filter(|range: &ByteRange| declared.is_empty() || !declared.contains(range.of(text)))
        .collect();
    let mut keywords = Vec::with_capacity(chunked.chunks.len());
    for chunk in &chunked.chunks {
        let range = chunk.span.bytes;
        let mut hidden = Cursor::new(&secrets, range.start);
        let mut comments = Cursor::new(&chunked.comments, range.start);
        let mut heads = Cursor::new(&signatures, range.start);
        let mut last = range.start;
        // In JSON, a word after an escaped line feed would start with the `n` of `\n`.
        let (read, places) = spoken.words(range.of(text));
        let mut found: Vec<Occurrence<'_>> = Vec::new();
        let mut places = places.into_iter().peekable();
        let (mut to, mut from) = (0, 0);
        for (offset, token) in tokens(&read) {
            while let Some(place) = places.next_if(|place| place.0 <= offset) {
                (to, from) = place;
            }
            let offset = from + (offset - to);
            let at = range.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
            debug_assert!(at >= last);
            last = at;
            if hidden.meets(at, at.saturating_add(u32::try_from(token.len()).unwrap_or(u32::MAX))) {
                continue;
            }
            let part = if comments.covers(at) {
                Part::Doc
            } else if heads.covers(at) {
                Part::Signature
            } else {
                Part::Body
            };
            found.push(Occurrence { prefix: prefix(token), token, part });
        }
        keywords.push(counted(&mut found));
    }
    normalise(&mut chunked, spoken.table().is_some());
    IndexedFile {
        blob,
        language: language.to_owned(),
        method: chunked.method,
        source_bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
        n_lines: chunked.n_lines,
        declarations: chunked.declarations,
        chunks: chunked.chunks,
        keywords,
        references: chunked.references,
    }
}

/// Returns sorted ranges without overlaps that cover the same bytes as `ranges`.
fn merged(ranges: impl Iterator<Item = ByteRange>) -> Vec<ByteRange> {
    let mut sorted: Vec<ByteRange> = ranges.filter(|r| !r.is_empty()).collect();
    sorted.sort_unstable();
    let mut out: Vec<ByteRange> = Vec::with_capacity(sorted.len());
    for range in sorted {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// A cursor that reports, for rising positions, whether one of the sorted ranges covers them.
struct Cursor<'r> {
    ranges: &'r [ByteRange],
    next: usize,
}

impl<'r> Cursor<'r> {
    fn new(ranges: &'r [ByteRange], from: u32) -> Self {
        Self { ranges, next: ranges.partition_point(|r| r.end <= from) }
    }

    fn covers(&mut self, at: u32) -> bool {
        self.meets(at, at.saturating_add(1))
    }

    /// Returns whether a range has a byte in common with `start..end`.
    fn meets(&mut self, start: u32, end: u32) -> bool {
        while self.ranges.get(self.next).is_some_and(|r| r.end <= start) {
            self.next += 1;
        }
        self.ranges.get(self.next).is_some_and(|r| r.start < end)
    }
}

/// One occurrence of a token. The order is by token bytes, then by part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence<'t> {
    /// The first eight bytes as a number, so that most comparisons need nothing else.
    prefix: u64,
    token: &'t str,
    part: Part,
}

/// Returns the first eight bytes as a number that sorts like them.
pub(super) fn prefix(token: &str) -> u64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(token.bytes()) {
        *to = from;
    }
    u64::from_be_bytes(bytes)
}

/// Sorts the occurrences and counts equal ones.
fn counted(found: &mut [Occurrence<'_>]) -> Vec<Keyword> {
    found.sort_unstable();
    let mut out: Vec<Keyword> = Vec::new();
    for &Occurrence { token, part, .. } in found.iter() {
        if out.last().is_none_or(|k| k.token != token) {
            if out.len() >= limits::TOKENS_PER_CHUNK {
                break;
            }
            out.push(Keyword { token: token.to_owned(), doc: 0, signature: 0, body: 0 });
        }
        if let Some(keyword) = out.last_mut() {
            match part {
                Part::Doc => keyword.doc = (keyword.doc + 1).min(7),
                Part::Signature => keyword.signature = 1,
                Part::Body => keyword.body = (keyword.body + 1).min(15),
            }
        }
    }
    out
}

/// Returns whether a declaration has a name that may look random: the name of a function, a type or
/// a macro that is an identifier without the form of a credential.
fn is_declared(one: &Declaration) -> bool {
    use DeclarationKind as K;
    let has_name = matches!(
        one.kind,
        K::Function
            | K::Method
            | K::Constructor
            | K::Class
            | K::Struct
            | K::Interface
            | K::Enum
            | K::Union
            | K::Type
            | K::Macro
    );
    has_name && is_plain_name(&one.name)
}

/// Returns whether a reference has a name that may look random: that of a function or a type.
fn is_named(one: &Reference) -> bool {
    use ReferenceKind as K;
    matches!(one.kind, K::Call | K::Type | K::Inherits) && is_plain_name(&one.name)
}

/// Returns whether a text is an identifier without the form of a credential.
fn is_plain_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !credential::has_known_form(name.as_bytes())
}

/// Normalises names and nesting to the bounds of a record. `has_syntax`: a grammar found the names.
fn normalise(chunked: &mut ChunkedFile, has_syntax: bool) {
    // Returns whether the name changed.
    let shorten = |name: &mut String| {
        let has_lines = name.contains('\n');
        if has_lines {
            *name = name.replace('\n', " ");
        }
        let len = name.len();
        name.truncate(head(name, limits::STRING_BYTES).len());
        has_lines || name.len() < len
    };
    let clean = |name: &mut String| {
        shorten(name);
        // What stands before a credential is part of the name as written; what follows may belong
        // to it.
        if let Some(&(start, _)) = credential::ranges(name).first() {
            name.truncate(start);
            if name.trim().is_empty() {
                "…".clone_into(name);
            }
        }
    };
    let mut depths: Vec<usize> = Vec::with_capacity(chunked.declarations.len());
    for ord in 0..chunked.declarations.len() {
        let mut parent = chunked.declarations.get(ord).and_then(|d| d.parent);
        if parent.and_then(|p| depths.get(p as usize)).is_some_and(|&depth| depth >= limits::DEPTH) {
            parent = chunked.declarations.get(parent.unwrap_or(0) as usize).and_then(|d| d.parent);
        }
        depths.push(parent.and_then(|p| depths.get(p as usize)).map_or(0, |d| d + 1));
        if let Some(declaration) = chunked.declarations.get_mut(ord) {
            declaration.parent = parent;
            match has_syntax && is_declared(declaration) {
                true => drop(shorten(&mut declaration.name)),
                false => clean(&mut declaration.name),
            }
            clean(&mut declaration.scope);
            for part in [&mut declaration.signature, &mut declaration.body, &mut declaration.doc] {
                if part.is_empty() {
                    *part = ByteRange::default();
                }
            }
        }
    }
    // A hostile file loses its last references, not its record.
    let mut in_chunk = (u32::MAX, 0usize);
    chunked.references.retain_mut(|reference| {
        let is_secret = !credential::ranges(&reference.name).is_empty();
        if is_secret && !(has_syntax && is_named(reference)) {
            return false;
        }
        in_chunk =
            if in_chunk.0 == reference.chunk { (in_chunk.0, in_chunk.1 + 1) } else { (reference.chunk, 1) };
        // Only a name that changed may be a credential now.
        if shorten(&mut reference.name) && !is_secret {
            clean(&mut reference.name);
        }
        for name in [&mut reference.qualifier, &mut reference.alias] {
            clean(name);
        }
        in_chunk.1 <= limits::REFERENCES_PER_CHUNK
    });
    // The order of a record: by chunk, then by kind and name, each once.
    chunked.references.sort_unstable();
    chunked.references.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<&str> {
        tokens(text).map(|(_, token)| token).collect()
    }

    #[test]
    fn tokens_are_runs_of_word_characters() {
        assert_eq!(of("self.retry_upload(maxTries=3)"), ["self", "retry_upload", "maxTries"]);
        assert_eq!(of("kebab-case a 42 __ __init__"), ["kebab", "case", "42", "__init__"]);
        assert_eq!(of("größe Übung naïve"), ["größe", "Übung", "naïve"]);
        assert_eq!(of("提交失败 retry"), ["提交失败", "retry"]);
        assert_eq!(of(&"x".repeat(65)), Vec::<&str>::new());
        assert_eq!(of("0123456789abcdef0"), Vec::<&str>::new());
    }

    #[test]
    fn credentials_are_not_recorded() {
        use crate::index::chunk::{ChunkOptions, Language, chunk};
        let secret = "sk_live_9aQxZ3vTeRnYk82";
        for (language, text) in [
            ("rust", format!("/// Not {secret}.\nconst BILLING: &str = \"{secret}\";\nfn pay() {{}}\n")),
            (
                "markdown",
                format!("# Key {secret}\n\nThe word billing and {secret}.\n\n## {secret}\n\ntext\n"),
            ),
            ("json", format!("{{\"billing\": \"{secret}\", \"{secret}\": 1}}\n")),
            ("yaml", format!("billing: {secret}\n{secret}: 1\n")),
            ("python", format!("import billing\n{secret} = billing.pay({secret})\n")),
            ("text", format!("billing {secret}\nprefix_{secret}_suffix\n")),
            ("json-lines", format!("{{\"billing\": \"a\\n{secret}\"}}\n")),
        ] {
            let Some(language) = Language::from_name(language) else { continue };
            let chunked = chunk(language, &text, &ChunkOptions::default());
            let blob = ObjectId::from_bytes(&[7; 20]).unwrap();
            let shown = format!("{:?}", build(blob, language.name(), &text, chunked));
            assert!(!shown.contains("9aQxZ3vTeRnYk82"), "{}: {shown}", language.name());
            assert!(shown.to_lowercase().contains("billing"), "{}: {shown}", language.name());
        }
    }

    #[test]
    fn a_name_that_only_looks_random_is_recorded() {
        use crate::index::chunk::{ChunkOptions, Language, chunk};
        let text = "#define ZSTDv06_DCtxX2_Q1 1\nsize_t ZBUFFv06_freeDCtx(int a) {\n  return HUFv05_DECODE_SYMBOLX2_0(a);\n}\nvoid sk_live_9aQxZ3vTeRnYk82(void) {}\nchar *b = \"Qx7ZvT2eRn9Yk82LmW4\";\n";
        for name in ["ZBUFFv06_freeDCtx", "HUFv05_DECODE_SYMBOLX2_0"] {
            assert!(credential::is_credential(name.as_bytes()), "{name} looks random");
        }
        let chunked = chunk(Language::from_name("c").unwrap(), text, &ChunkOptions::default());
        let blob = ObjectId::from_bytes(&[7; 20]).unwrap();
        let file = build(blob, "c", text, chunked);
        let names: Vec<&str> = file.declarations.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["ZSTDv06_DCtxX2_Q1", "ZBUFFv06_freeDCtx", "…", "b"]);
        assert!(file.references.iter().any(|one| one.name == "HUFv05_DECODE_SYMBOLX2_0"));
        let shown = format!("{file:?}").to_lowercase();
        assert!(!shown.contains("zxvterny") && !shown.contains("qx7zvt2"), "{shown}");
    }

    #[test]
    fn a_long_name_that_looks_random_leaves_the_record_readable() {
        use crate::index::chunk::{ChunkOptions, Language, chunk};
        use crate::index::record::{FileRecord, decode, encode};
        let name = format!("_{}", "DCtxX2v06Q1".repeat(22));
        assert!(name.len() > limits::STRING_BYTES && credential::is_credential(name.as_bytes()));
        let text = format!("int main(void) {{\n  return {name}(1);\n}}\n");
        let chunked = chunk(Language::from_name("c").unwrap(), &text, &ChunkOptions::default());
        let file = build(ObjectId::from_bytes(&[7; 20]).unwrap(), "c", &text, chunked);
        let call = file.references.iter().find(|one| one.name.starts_with("_DCtx")).unwrap();
        assert!(call.name.len() <= limits::STRING_BYTES);
        let record = FileRecord::Indexed(file);
        assert_eq!(decode(&encode(&record)), Ok(record));
    }

    #[test]
    fn offsets_point_at_the_tokens() {
        let text = "añb = ünï(42) // 提交 done";
        for (offset, token) in tokens(text) {
            assert_eq!(text.get(offset..offset + token.len()), Some(token));
        }
    }
}

//! `git cora show --raw`: the four sections of a record, as FORMAT.md describes them.
//!
//! Input: the decoded record and its bytes. Output: for each section its size, then its rows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bstr::BStr;

use git_cora::answer::view::theme::{FAINT, SYMBOL};
use git_cora::answer::view::{Paint, counted, labels, visible};
use git_cora::index::record::{self, IndexedFile, KeywordRef, OpenRecord, RecordView, Scratch};

/// A string with the chunks in which it is a token, each with its counts.
type Postings = BTreeMap<u32, (String, Vec<String>)>;

/// What is declared or referred to, with the chunks.
type Targets = BTreeMap<(u32, String), Vec<usize>>;

/// Formats the sections of an indexed file's record.
pub(super) fn as_text(
    file: &IndexedFile,
    path: &BStr,
    bytes: &[u8],
    paint: Paint,
) -> Result<String, record::Error> {
    let mut out = super::head(file, path, bytes.len(), paint);
    let OpenRecord::Indexed(view) = RecordView::open(bytes)? else { return Ok(out) };
    let (mut chunks, mut embeddings) = (String::new(), String::new());
    let (mut postings, mut declared, mut referred) = (Postings::new(), Targets::new(), Targets::new());
    view.visit::<record::Error>(&mut Scratch::default(), |chunk| {
        let number = chunk.ord as usize + 1;
        let span = chunk.chunk.span;
        let _ = writeln!(
            chunks,
            "  {number}: bytes {}-{}, lines {}-{}, {}, {}",
            span.bytes.start,
            span.bytes.end,
            span.start_line,
            span.end_line,
            labels::chunk_kind(chunk.chunk.kind),
            counted(chunk.declarations.len(), "declaration", "declarations"),
        );
        let hex: String = chunk.sketch.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(embeddings, "  {number}: {hex}");
        for keyword in chunk.keywords {
            let row =
                postings.entry(keyword.string).or_insert_with(|| (keyword.token.to_owned(), Vec::new()));
            row.1.push(format!("{number}{}", counts(keyword)));
        }
        for declaration in chunk.declarations {
            let name = joined(declaration.scope, declaration.name);
            let places = declared.entry((0, name)).or_default();
            if places.last() != Some(&number) {
                places.push(number);
            }
        }
        for reference in chunk.references {
            let alias =
                if reference.alias.is_empty() { String::new() } else { format!(" as {}", reference.alias) };
            let name = joined(reference.qualifier, reference.name);
            let text = format!("{} {name}{alias}", labels::reference_kind(reference.kind));
            referred.entry((reference.target, text)).or_default().push(number);
        }
        Ok(())
    })?;
    let [of_chunks, of_embeddings, of_keywords, of_references] = view.section_bytes();
    let title =
        |name: &str, n: usize| format!("\n{}: {}\n", paint.text(name, SYMBOL), counted(n, "byte", "bytes"));
    out.push_str(&title("section 1, chunks", of_chunks));
    out.push_str(&chunks);
    out.push_str(&title("section 2, embeddings", of_embeddings));
    out.push_str(&embeddings);
    out.push_str(&title("section 3, keywords", of_keywords));
    for (word, places) in postings.values() {
        let shown = visible(word);
        let shown = if record::is_common_word(word) { paint.text(&shown, FAINT) } else { shown.into_owned() };
        let _ = writeln!(out, "  {shown}: {}", places.join(", "));
    }
    out.push_str(&title("section 4, references", of_references));
    let declared = declared.iter().map(|((_, name), places)| (format!("declares {name}"), places));
    let referred = referred.iter().map(|((_, text), places)| (text.clone(), places));
    for (text, places) in declared.chain(referred) {
        let places: Vec<String> = places.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "  {}: {}", visible(&text), places.join(", "));
    }
    Ok(out)
}

/// Returns how often a keyword occurs in a chunk; nothing if it occurs once in the code.
fn counts(keyword: &KeywordRef<'_>) -> String {
    let parts = [("body", keyword.body), ("doc", keyword.doc), ("signature", keyword.signature)];
    if parts.map(|part| part.1) == [1, 0, 0] {
        return String::new();
    }
    let parts: Vec<String> =
        parts.iter().filter(|part| part.1 > 0).map(|(name, n)| format!("{name} {n}")).collect();
    format!(" ({})", parts.join(", "))
}

/// Returns a name with what stands before it.
fn joined(before: &str, name: &str) -> String {
    if before.is_empty() { name.to_owned() } else { format!("{before}.{name}") }
}

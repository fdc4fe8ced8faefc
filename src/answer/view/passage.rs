//! Passages: the shown text of a line that is a whole document.
//!
//! Most views show a line as it is in the file. A line of a JSON Lines file is a document, and a
//! result is a part of it. Only that part is shown, with its escapes resolved. A line of a notebook
//! is shown as the line of code that it holds.

use super::lines::Lines;
use super::{ResultItem, clean};
use crate::index::chunk::{self, unescaped};
use std::borrow::Cow;
use std::fmt::Write;

/// Maximum characters of a passage. Chunks are shorter unless the user configured larger ones.
const MOST: usize = 4000;

/// Separator between two passages of one line that do not touch.
const GAP: &str = " … ";

/// Returns the line `at` as the given results, in order, show it; without its line feed.
///
/// For a document, the text may have several lines.
pub(super) fn passages<'t>(items: &[&ResultItem], lines: &Lines<'t>, at: usize) -> Cow<'t, str> {
    let is_documents =
        items.first().is_some_and(|item| matches!(item.language.as_str(), "json-lines" | "jupyter"));
    let (start, end) = (lines.start(at), lines.start(at) + lines.get(at).len());
    let meets = |item: &&&ResultItem| {
        (item.span.bytes.start as usize) < end.max(start + 1) && item.span.bytes.end as usize > start
    };
    let cell_line = items.first().filter(|item| item.language == "jupyter");
    if let Some(code) = cell_line.and_then(|_| chunk::cell_line(lines.get(at))) {
        return Cow::Owned(clean::line(&code).into_owned());
    }
    if !is_documents {
        let from = items.iter().map(|item| item.span.bytes.start as usize);
        let from = from.filter(|from| (start..lines.start(at + 1)).contains(from)).min();
        return lines.shown(at, from.unwrap_or_default());
    }
    let mut ranges: Vec<(usize, usize)> = items
        .iter()
        .filter(meets)
        .map(|item| {
            let bytes = item.span.bytes;
            ((bytes.start as usize).clamp(start, end) - start, (bytes.end as usize).clamp(start, end) - start)
        })
        .collect();
    ranges.sort_unstable();
    let mut out = String::new();
    let mut last = 0;
    let line = lines.get(at);
    for (from, to) in ranges {
        let from = from.max(last);
        if from > last {
            out.push_str(GAP);
        }
        let (text, _) = unescaped(line.get(from..to).unwrap_or_default());
        let n = text.char_indices().nth(MOST).map_or(text.len(), |(at, _)| at);
        out.push_str(text.get(..n).unwrap_or_default());
        last = last.max(to);
    }
    if last < line.len() {
        out.push_str(GAP.trim_end());
    }
    let mut clean = String::with_capacity(out.len());
    for (n, line) in out.lines().enumerate() {
        let _ = write!(clean, "{}{}", if n > 0 { "\n" } else { "" }, clean::line(line));
    }
    Cow::Owned(clean)
}

/// Returns the same text as [`passages`] for one result, on one line.
pub(super) fn passage<'t>(item: &ResultItem, lines: &Lines<'t>, at: usize) -> Cow<'t, str> {
    match passages(&[item], lines, at) {
        text if text.contains('\n') => Cow::Owned(text.split('\n').collect::<Vec<_>>().join(" ")),
        text => text,
    }
}

/// Returns the text of [`passage`] for people; `None` if the file has no documents in its lines.
///
/// For the first part of a document, everything before the document's text is left out if the text
/// begins in that part.
pub(super) fn prose<'t>(item: &ResultItem, lines: &Lines<'t>, at: usize) -> Option<Cow<'t, str>> {
    if item.language == "jupyter" {
        return Some(passage(item, lines, at));
    }
    if item.language != "json-lines" {
        return None;
    }
    let bodies = item.declarations.iter().map(|one| one.body).filter(|body| !body.is_empty());
    let body = bodies.map(|body| body.start).find(|start| item.span.bytes.contains(*start));
    let mut item = item.clone();
    if let Some(start) = body {
        // Skip the quotation mark or bracket.
        item.span.bytes.start = (start + 1).min(item.span.bytes.end);
        let shown = passage(&item, lines, at);
        return Some(Cow::Owned(shown.strip_prefix(GAP).unwrap_or(&shown).to_owned()));
    }
    Some(passage(&item, lines, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ByteRange, Span};

    fn item(text: &str, part: &str) -> ResultItem {
        let start = u32::try_from(text.find(part).unwrap()).unwrap();
        let end = start + u32::try_from(part.len()).unwrap();
        ResultItem {
            rank: 1,
            path: "a.jsonl".into(),
            span: Span { bytes: ByteRange { start, end }, start_line: 2, end_line: 2 },
            around: 0,
            symbol: String::new(),
            kind: "section",
            language: "json-lines".to_owned(),
            score: 1.0,
            relevance: None,
            git_status: "unmodified",
            blob: None,
            text: None,
            declarations: Vec::new(),
            lines: Vec::new(),
            named: None,
            explanation: Vec::new(),
            moved: None,
            repository: 0,
            checkout: String::new(),
            change: None,
            relation: None,
            included: None,
            commentary: None,
            also: Vec::new(),
            copies: Vec::new(),
        }
    }

    #[test]
    fn parts_of_a_document_are_shown_as_they_read() {
        let text = "{}\n{\"text\": \"one\\ntwo\\u0007 three \\\"four\\\" five\"}\n";
        let lines = Lines::new(text);
        let (one, two) = (item(text, "one\\ntwo\\u0007 "), item(text, "\\\"four\\\""));
        assert_eq!(passages(&[&one], &lines, 2), " … one\ntwo␇  …");
        assert_eq!(passage(&one, &lines, 2), " … one two␇  …");
        assert_eq!(passages(&[&two, &one], &lines, 2), " … one\ntwo␇  … \"four\" …");
        let all = item(text, text.lines().nth(1).unwrap());
        assert_eq!(passages(&[&all], &lines, 2), "{\"text\": \"one\ntwo␇ three \"four\" five\"}");
        let plain = ResultItem { language: "json".into(), ..one };
        assert_eq!(passages(&[&plain], &lines, 2), text.lines().nth(1).unwrap());
    }

    #[test]
    fn a_part_has_4000_characters() {
        for len in [3999, 4000, 4001] {
            let text = format!("{{}}\n{{\"text\": \"{}\"}}\n", "é".repeat(len));
            let part = item(&text, &"é".repeat(len));
            let shown = passages(&[&part], &Lines::new(&text), 2);
            assert_eq!(shown.matches('é').count(), len.min(4000), "{len}");
        }
    }
}

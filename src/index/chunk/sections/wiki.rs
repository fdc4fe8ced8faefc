//! MediaWiki: lines → sections (`== Title ==`), blocks of code and paragraphs.

use super::super::ChunkKind;
use super::super::fences;
use super::super::lines::Lines;
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::{Ends, Heading, Outline, title, with_shown_links};

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

/// Elements with text as it is.
const VERBATIM: [(&str, &str); 4] = [
    ("<syntaxhighlight", "</syntaxhighlight>"),
    ("<source", "</source>"),
    ("<pre", "</pre>"),
    ("<nowiki", "</nowiki>"),
];

fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let ends = Ends::new(lines, |text| VERBATIM.iter().map(|(_, end)| *end).find(|end| text.contains(end)));
    let mut page = Outline::new(lines);
    let mut line = 0;
    while line < lines.len() {
        if lines.blank(line) {
            page.flush();
            line += 1;
            continue;
        }
        let text = page.at(line).trim_end();
        if let Some((level, written)) = heading(text) {
            page.open(Heading::on(line, level, title(&plain(written))));
        } else if let Some((begin, close)) = VERBATIM.iter().find(|(begin, _)| text.starts_with(begin))
            && !text.contains(close)
            && let Some(end) = ends.after(line, close)
        {
            page.add_text(line, end, 1);
            let info =
                text.strip_prefix(begin).and_then(|rest| rest.split_once("lang=")).map(|(_, rest)| rest);
            let language = info.and_then(|info| fences::language(info.trim_start_matches(['"', '\''])));
            page.fence(language, (line + 1, end.saturating_sub(1)), false);
            line = end;
        } else {
            let is_item = text.starts_with(['*', '#', ':', ';', '|', '!']);
            if is_item {
                page.flush();
            }
            page.text_line(line, 1 + u32::from(is_item));
        }
        line += 1;
    }
    page.finish()
}

/// Returns level and title of a heading.
fn heading(text: &str) -> Option<(u32, &str)> {
    let before = text.len() - text.trim_start_matches('=').len();
    let after = text.len() - text.trim_end_matches('=').len();
    let level = before.min(after);
    let written = text.get(level..text.len().checked_sub(level)?)?;
    ((1..=6).contains(&level) && !written.trim().is_empty()).then_some((u32::try_from(level).ok()?, written))
}

/// Returns a title without emphasis and links.
fn plain(title: &str) -> String {
    let out = with_shown_links(title, "|");
    out.replace("'''", "").replace("''", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings() {
        assert_eq!(heading("== a =="), Some((2, " a ")));
        assert_eq!(heading("== a ="), Some((1, "= a ")));
        assert_eq!(heading("===="), None);
        assert_eq!(heading("a"), None);
        assert_eq!(plain(" '''The''' [[Page|link]] [[x]]"), " The link x");
    }
}

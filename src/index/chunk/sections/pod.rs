//! POD, the documentation of Perl: lines → sections, items and links.
//!
//! `=head1` to `=head6` are headings, and an `=item` with a letter is an entry.

use super::super::ChunkKind;
use super::super::lines::Lines;
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::{ENTRY, Ends, Heading, MAX_LISTS, MAX_MARKUP, Outline, take_char, term, title};
use crate::base::text::head;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let ends = Ends::new(lines, |text| text.trim_end().strip_prefix("=end ").map(|_| "end"));
    let mut page = Outline::new(lines);
    let mut lists = 0;
    let mut line = 0;
    while line < lines.len() {
        if lines.blank(line) {
            page.flush();
            line += 1;
            continue;
        }
        let text = page.at(line).trim_end();
        let (command, behind) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        match command {
            "=head1" | "=head2" | "=head3" | "=head4" | "=head5" | "=head6" => {
                lists = 0;
                let level = command.bytes().last().map_or(1, |digit| u32::from(digit - b'0'));
                page.open(Heading::on(line, level, title(&plain(behind))));
            }
            "=over" => {
                lists = (lists + 1).min(MAX_LISTS);
                page.text_line(line, 1 + lists);
            }
            "=back" => {
                page.text_line(line, 1 + lists);
                page.flush();
                page.dedent(lists);
                lists = lists.saturating_sub(1);
            }
            "=item" => {
                page.flush();
                page.dedent(lists);
                page.open(Heading::on(line, ENTRY + lists, term(&plain(behind))));
            }
            "=begin" if ends.after(line, "end").is_some() => {
                let end = ends.after(line, "end").unwrap_or(line);
                page.add_text(line, end, 1 + lists);
                line = end;
            }
            _ => {
                let indent = u32::from(text.starts_with([' ', '\t']));
                page.text_line(line, 1 + lists + indent);
            }
        }
        line += 1;
    }
    page.finish()
}

/// Returns a text without its codes: `C<x>` is x, and `L<text|target>` is its text.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut open: Vec<usize> = Vec::new();
    let mut rest = head(text, MAX_MARKUP);
    while let Some(c) = take_char(&mut rest) {
        let after = rest;
        if matches!(c, 'B' | 'C' | 'E' | 'F' | 'I' | 'L' | 'S' | 'X')
            && after.starts_with('<')
            && !out.ends_with(char::is_alphanumeric)
        {
            let n = after.bytes().take_while(|byte| *byte == b'<').count();
            open.push(n);
            rest = after.get(n..).unwrap_or_default();
            if c == 'L'
                && let Some(at) = rest.find(['|', '>']).filter(|&at| rest.get(at..=at) == Some("|"))
            {
                out.push_str(rest.get(..at).unwrap_or_default());
                rest = rest.find('>').and_then(|end| rest.get(end..)).unwrap_or_default();
            }
        } else if let Some(n) = open.last().copied().filter(|_| c == '>')
            && after.bytes().take(n - 1).filter(|byte| *byte == b'>').count() == n - 1
        {
            open.pop();
            rest = after.get(n - 1..).unwrap_or_default();
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        for (written, name) in [
            ("The C<a_b> of B<I<x>>", "The a_b of x"),
            ("C<< $a->b >>", " $a->b "),
            ("L<text|https://x.org> more", "text more"),
            ("ABC<x", "ABC<x"),
            ("a > b", "a > b"),
        ] {
            assert_eq!(plain(written), name);
        }
    }
}

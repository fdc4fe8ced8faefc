//! A document as headings and paragraphs of plain text.
//!
//! The text of a README, in Markdown, reStructuredText, AsciiDoc or HTML → [`Block`]s. Lists, code,
//! tables, images, badges and rows of links are left out. It does not parse those languages: a
//! README mixes them, and prose is all that is needed. Nothing is judged by what it says.

use super::sentence::words;

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// A heading of the first two levels, without its marks.
    Heading {
        text: String,
        /// Whether it is of the first level.
        is_first_level: bool,
    },
    /// A paragraph of prose.
    Paragraph(String),
}

/// Returns the headings and paragraphs of a document, at most `n_paragraphs` of these.
pub(super) fn blocks(text: &str, n_paragraphs: usize) -> Vec<Block> {
    let mut reader = Reader::default();
    for line in body(&without(text, "<!--", "-->")).lines() {
        if reader.n_paragraphs >= n_paragraphs {
            break;
        }
        reader.read(line);
    }
    reader.end();
    reader.blocks
}

/// What is known of a document between two of its lines.
#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    n_paragraphs: usize,
    /// The lines of the paragraph.
    lines: Vec<String>,
    /// The mark that ends a block of code.
    fence: Option<char>,
    /// Whether the lines since the last blank one are a list or code.
    is_other: bool,
    /// Whether the line before was a tag alone, whose element may be indented.
    is_in_element: bool,
}

impl Reader {
    fn read(&mut self, line: &str) {
        let is_code = line.starts_with("    ") || line.starts_with('\t');
        let text = line.trim().trim_start_matches('>').trim();
        let fence = ['`', '~'].into_iter().find(|&mark| text.chars().take_while(|&c| c == mark).count() > 2);
        if self.fence.is_some() || fence.is_some() {
            if self.fence.is_none() || self.fence == fence {
                self.end();
                self.fence = if self.fence.is_none() { fence } else { None };
            }
            return;
        }
        let is_in_element = std::mem::replace(&mut self.is_in_element, text.ends_with('>'));
        if let Some((heading, is_first_level)) = heading(text) {
            self.end();
            self.heading(&heading, is_first_level);
        } else if text.starts_with("###") {
            self.end();
        } else if is_underline(text) {
            let heading = self.lines.pop().unwrap_or_default();
            self.end();
            if !heading.is_empty() {
                self.heading(&heading, text.starts_with('='));
            }
        } else if text.is_empty() {
            self.end();
            self.is_other = false;
        } else if is_list_item(text) || is_code && self.lines.is_empty() && !is_in_element {
            self.end();
            self.is_other = true;
        } else if !is_decoration(text) && !self.is_other {
            self.lines.push(text.to_owned());
        }
        let ends = ["</p>", "</div>", "<br>", "<br/>", "<br />", "</h3>", "</h4>", "</h5>", "</h6>"];
        if ends.iter().any(|end| text.ends_with(end)) {
            self.end();
        }
    }

    fn heading(&mut self, heading: &str, is_first_level: bool) {
        let text = PlainText::of(&without_tags(heading)).text;
        if !text.is_empty() {
            self.blocks.push(Block::Heading { text, is_first_level });
        }
    }

    /// Ends a paragraph.
    fn end(&mut self) {
        let text = std::mem::take(&mut self.lines).join("\n");
        let PlainText { text, n_links, n_words } = PlainText::of(&without_tags(&text));
        let is_row_of_links = n_links > 1 && n_words <= n_links;
        if words(&text).len() > 1 && !is_row_of_links && !text.starts_with("[!") {
            self.n_paragraphs += 1;
            self.blocks.push(Block::Paragraph(text));
        }
    }
}

/// A text without the marks of Markdown.
#[derive(Default)]
struct PlainText {
    /// The text; links are their text, images nothing.
    text: String,
    n_links: usize,
    /// Number of words outside of links.
    n_words: usize,
}

impl PlainText {
    fn of(text: &str) -> Self {
        let mut of = Self::default();
        let mut rest = text;
        while let Some(at) = rest.find('[') {
            let (before, link) = rest.split_at(at);
            let is_image = before.ends_with('!');
            of.say(before.strip_suffix('!').unwrap_or(before));
            rest = match link_of(link) {
                Some((text, after)) => {
                    of.n_links += 1;
                    if !is_image && !text.is_empty() {
                        of.text.push_str(&Self::of(text).text);
                    }
                    after
                }
                // A link by its name: `[Homepage]`.
                None => match closing(link, '[', ']') {
                    Some(end) => {
                        of.n_links += 1;
                        of.text.push_str(link.get(1..end).unwrap_or_default());
                        link.get(end + 1..).unwrap_or_default()
                    }
                    None => {
                        of.text.push('[');
                        link.get(1..).unwrap_or_default()
                    }
                },
            };
        }
        of.say(rest);
        of.text = without_emphasis(&of.text);
        of
    }

    fn say(&mut self, text: &str) {
        self.n_words += words(text).len();
        self.text.push_str(text);
    }
}

/// Returns the text of the link that a text begins with, and what follows it. The text may have an
/// image in it.
fn link_of(text: &str) -> Option<(&str, &str)> {
    let close = closing(text, '[', ']')?;
    let after = text.get(close + 1..)?;
    let end = match after.chars().next() {
        Some('(') => closing(after, '(', ')')?,
        Some('[') => closing(after, '[', ']')?,
        _ => return None,
    };
    Some((text.get(1..close)?, after.get(end + 1..)?))
}

/// Returns the place of the bracket that closes the one at the beginning of a text.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns a text without the marks of emphasis; `snake_case` and `a * b` keep theirs.
fn without_emphasis(text: &str) -> String {
    let text = text.replace("**", "").replace("__", "");
    let chars: Vec<char> = text.chars().collect();
    let is_word = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphanumeric());
    let kept = chars.iter().enumerate().filter(|&(at, &c)| {
        let (before, after) = (is_word(at.checked_sub(1)), is_word(Some(at + 1)));
        !(matches!(c, '*' | '_') && before != after)
    });
    kept.map(|one| one.1).collect::<String>().trim().to_owned()
}

/// Returns a document without the settings at its beginning.
fn body(text: &str) -> &str {
    let front = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    front.map_or(text, |(_, body)| body)
}

/// Returns a text without its pieces from one mark to another.
pub(super) fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        out.push_str(before);
        rest = after.split_once(close).map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// Returns a text without the tags of HTML; `a < b` and `Vec<T>` stay.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let is_tag = tag.starts_with('/') || tag.starts_with(|c: char| c.is_ascii_lowercase());
        let is_inside =
            before.ends_with(char::is_alphanumeric) && !tag.starts_with('/') && !tag.contains("</");
        match tag.split_once('>').filter(|_| is_tag && !is_inside) {
            Some((_, after)) => rest = after,
            None => {
                out.push('<');
                rest = tag;
            }
        }
    }
    out.push_str(rest);
    let signs =
        [("&nbsp;", " "), ("&bull;", "•"), ("&mdash;", "—"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    signs.into_iter().fold(out, |text, (entity, sign)| text.replace(entity, sign))
}

/// Returns the text of a heading of the first two levels of Markdown, AsciiDoc or HTML, and whether
/// it is of the first.
fn heading(line: &str) -> Option<(String, bool)> {
    let marks = [("# ", true), ("## ", false), ("= ", true), ("== ", false)];
    let marked = marks.iter().find_map(|&(mark, is_first)| Some((line.strip_prefix(mark)?, is_first)));
    if let Some((text, is_first)) = marked {
        return Some((text.trim_end_matches(['#', '=']).trim().to_owned(), is_first));
    }
    let is_element = line.starts_with("<h1") || line.starts_with("<h2");
    (is_element && line.contains("</h")).then(|| (line.to_owned(), line.starts_with("<h1")))
}

/// Returns whether a line underlines a heading, or rules off a section.
fn is_underline(line: &str) -> bool {
    line.len() > 2 && line.bytes().all(|byte| b"=-~^#*".contains(&byte))
}

fn is_list_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    is_numbered || ["* ", "- ", "+ ", "• "].iter().any(|mark| line.starts_with(mark))
}

/// Returns whether a line of a document is decoration rather than prose.
fn is_decoration(line: &str) -> bool {
    let begins = ["|", "![", ":", "..", "{", "[//]", "%%", "image:", "ifdef::"];
    let is_definition = line.starts_with('[') && line.contains("]:");
    begins.iter().any(|begin| line.starts_with(begin))
        || is_definition
        || line.bytes().all(|byte| byte.is_ascii_punctuation())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_markdown_are_left_out() {
        assert_eq!(PlainText::of("a [b](c) ![d](e) [f] **g** *h* i_j").text, "a b  f g h i_j");
        assert_eq!(PlainText::of("[open").text, "[open");
    }
}

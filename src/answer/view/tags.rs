//! Tags: the parts of the view for language models → text, in one of four forms.
//!
//! [`Style::Cora`] is the form that the documentation describes. [`Style::CodeRag`] gives a chunk's
//! place as `metadata` next to its `content`. The other two forms follow the advice of a model's
//! vendor:
//!
//! - Claude: each document in `<document index>` with `<source>` and `<document_content>`, all in
//!   `<documents>`, and the question after them (Anthropic, "Long context prompting tips",
//!   <https://docs.anthropic.com/en/docs/build-with-claude/prompt-engineering/long-context-tips>).
//! - OpenAI: documents as flat XML, `<doc id title>`, which did better than JSON. Instructions go
//!   both before and after a long context (OpenAI, "GPT-4.1 Prompting Guide", sections "Delimiters"
//!   and "Prompt organization", <https://cookbook.openai.com/examples/gpt4-1_prompting_guide>).

use super::budget::Omission;
use super::lines::Lines;
use super::{ResultItem, Results, reduce};
use crate::base::text::{clean, quoted};
use bstr::ByteSlice;
use std::fmt::Write;
use std::ops::{Range, RangeInclusive};

/// The form of a view for language models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// `<cora:rag-result>`.
    #[default]
    Cora,
    /// `<codeRag:rag-result>`, with file, lines and character offsets of each chunk as metadata.
    CodeRag,
    /// The form that Anthropic advises for Claude.
    Claude,
    /// The form that OpenAI advises.
    OpenAi,
}

/// Instructions for the reader.
const HEAD: &str = "Files by relevance, chunks by line (from 1). \". . .\" stands for omitted lines. A \
backslash after \"<\" marks a tag that belongs to the source.";

/// In a small budget, where each line begins with its number.
const NUMBERED: &str = "Each line begins with its number. \". . .\" stands for omitted lines. A backslash after \
\"<\" marks a tag of the source.";

/// A view that is being written.
pub(super) struct Tags {
    style: Style,
    out: String,
    /// Number of files or documents so far.
    n: usize,
}

impl Tags {
    pub(super) fn new(style: Style) -> Self {
        Self { style, out: String::new(), n: 0 }
    }

    /// Writes the beginning, with the instructions for the reader.
    pub(super) fn open(&mut self, results: &Results, is_numbered: bool) {
        let is_dirty = |repository| results.searched(repository).n_dirty > 0;
        let state = match results.worktree {
            true if (0..=results.others.len()).any(is_dirty) => "working tree with uncommitted changes",
            true => "working tree",
            false => "commit",
        };
        let mut head = match is_numbered {
            true => format!("From the {state}. {NUMBERED}"),
            false => format!("Source found for the query, from the {state}. {HEAD}"),
        };
        if let Some(note) = results.unclear() {
            let _ = write!(head, " Note: {note}.");
        }
        for line in results.near_lines() {
            // Two hyphens would end the comment, and words do not contain them.
            let _ = write!(head, " Words of the query: {}.", self.inert(&line).replace("--", "‐‐"));
        }
        let question = " The question follows the documents.";
        let _ = match self.style {
            Style::Cora => writeln!(self.out, "<cora:rag-result>\n  <!-- {head} -->"),
            Style::CodeRag => writeln!(self.out, "<codeRag:rag-result>\n  <!-- {head} -->"),
            Style::Claude => writeln!(self.out, "<documents>\n  <!-- {head}{question} -->"),
            Style::OpenAi => writeln!(self.out, "<!-- {head} -->"),
        };
    }

    /// Opens a repository; the next files belong to it.
    pub(super) fn open_repository(&mut self, results: &Results, at: usize) {
        let searched = results.searched(at);
        let commit = searched.commit.map(|id| id.to_string()).unwrap_or_default();
        let name = match self.style {
            Style::Cora => "  <cora:repo",
            Style::CodeRag => "  <codeRag:repo",
            Style::Claude => "  <repository",
            Style::OpenAi => "<repository",
        };
        self.out.push_str(name);
        for (key, value) in [
            ("origin", searched.repository.origin.as_str()),
            ("git-commit-hash", &commit),
            ("checkout-host", &searched.repository.host),
            ("checkout-path", &searched.repository.path),
        ] {
            self.attribute(key, value);
        }
        self.out.push_str(match self.style {
            Style::Cora | Style::CodeRag => ">\n",
            Style::Claude | Style::OpenAi => "/>\n",
        });
    }

    pub(super) fn close_repository(&mut self) {
        self.out.push_str(match self.style {
            Style::Cora => "  </cora:repo>\n",
            Style::CodeRag => "  </codeRag:repo>\n",
            Style::Claude | Style::OpenAi => "",
        });
    }

    /// Writes the end, with the note about cut results, and returns the text.
    pub(super) fn close(mut self, cut: Option<&Omission>) -> String {
        let cut = cut.map(|cut| self.inert(&cut.line()));
        let _ = match (self.style, cut) {
            (Style::Cora, Some(cut)) => writeln!(self.out, "  <cora:cut>{cut}</cora:cut>"),
            (Style::CodeRag, Some(cut)) => writeln!(self.out, "  <codeRag:cut>{cut}</codeRag:cut>"),
            (Style::Claude | Style::OpenAi, Some(cut)) => {
                writeln!(self.out, "<!-- {} -->", cut.replace("--", "‐‐"))
            }
            (_, None) => Ok(()),
        };
        match self.style {
            Style::Cora => self.out.push_str("</cora:rag-result>\n"),
            Style::CodeRag => self.out.push_str("</codeRag:rag-result>\n"),
            Style::Claude => self.out.push_str("</documents>\n"),
            Style::OpenAi => {
                let _ = writeln!(self.out, "<!-- {HEAD} -->");
            }
        }
        self.out
    }

    /// Opens a file; its chunks follow.
    pub(super) fn open_file(&mut self, file: &ResultItem) {
        self.n += 1;
        let path = quoted(file.path.as_bstr());
        match self.style {
            Style::Cora => {
                self.out.push_str("    <cora:file");
                self.attribute("path", &path);
                self.attribute("git-status", file.git_status);
                if let Some(change) = file.change {
                    self.attribute("change", change.name());
                }
                self.out.push_str(">\n");
            }
            Style::Claude => {
                let status = match file.change {
                    Some(change) => change.name(),
                    None => file.git_status,
                };
                let source = self.inert(&clean::name(&path));
                let _ = write!(
                    self.out,
                    "  <document index=\"{}\">\n    <source>{source}</source>\n    <git_status>{status}</git_status>\n    \
                     <document_content>\n",
                    self.n
                );
            }
            // In these forms each chunk names its file.
            Style::CodeRag | Style::OpenAi => (),
        }
    }

    pub(super) fn close_file(&mut self) {
        self.out.push_str(match self.style {
            Style::Cora => "    </cora:file>\n",
            Style::Claude => "    </document_content>\n  </document>\n",
            Style::CodeRag | Style::OpenAi => "",
        });
    }

    /// Writes a whole file, whose lines are `lines`.
    pub(super) fn whole(&mut self, file: &ResultItem, commentary: &str, content: &str, lines: &Lines<'_>) {
        match self.style {
            Style::Cora => {
                self.note("      ", commentary);
                let content = self.inert(content);
                let _ = write!(self.out, "      <cora:content>\n{content}      </cora:content>\n");
            }
            Style::Claude => {
                self.note("      ", commentary);
                let content = self.inert(content);
                self.out.push_str(&content);
            }
            Style::CodeRag | Style::OpenAi => {
                let all = 1..=lines.n().max(1);
                self.chunk(file, &all, commentary, content, lines.characters(all.clone()));
            }
        }
    }

    /// Writes some lines of a file, with their position in characters.
    pub(super) fn chunk(
        &mut self,
        file: &ResultItem,
        lines: &RangeInclusive<usize>,
        commentary: &str,
        content: &str,
        characters: Range<usize>,
    ) {
        let range = reduce::line_range(*lines.start() as u64, *lines.end() as u64);
        let content = self.inert(content);
        let _ = match self.style {
            Style::Cora => {
                let _ = writeln!(self.out, "      <cora:chunk lines=\"{range}\">");
                self.note("        ", commentary);
                write!(
                    self.out,
                    "        <cora:content>\n{content}        </cora:content>\n      </cora:chunk>\n"
                )
            }
            Style::CodeRag => {
                self.metadata(file, &range, Some(characters));
                self.note("      ", commentary);
                write!(
                    self.out,
                    "      <codeRag:content>\n{content}      </codeRag:content>\n    </codeRag:chunk>\n"
                )
            }
            Style::Claude => {
                let _ = writeln!(self.out, "      <chunk lines=\"{range}\">");
                self.note("      ", commentary);
                writeln!(self.out, "{content}      </chunk>")
            }
            Style::OpenAi => {
                self.doc(file, &range);
                self.out.push_str(">\n");
                self.note("", commentary);
                writeln!(self.out, "{content}</doc>")
            }
        };
    }

    /// Writes the place of a chunk that shows no lines.
    pub(super) fn place(
        &mut self,
        file: &ResultItem,
        lines: &RangeInclusive<usize>,
        commentary: &str,
        symbol: &str,
    ) {
        let range = reduce::line_range(*lines.start() as u64, *lines.end() as u64);
        let symbol = self.inert(symbol);
        let _ = match self.style {
            Style::Cora => {
                let _ = write!(self.out, "      <cora:chunk lines=\"{range}\">");
                if !commentary.is_empty() {
                    let commentary = self.inert(commentary);
                    let _ = write!(self.out, "<cora:commentary>{commentary}</cora:commentary>");
                }
                writeln!(self.out, "{symbol}</cora:chunk>")
            }
            Style::CodeRag => {
                self.metadata(file, &range, None);
                self.note("      ", commentary);
                write!(self.out, "      <codeRag:content>{symbol}</codeRag:content>\n    </codeRag:chunk>\n")
            }
            Style::Claude => {
                self.note("      ", commentary);
                writeln!(self.out, "      <chunk lines=\"{range}\">{symbol}</chunk>")
            }
            Style::OpenAi => {
                self.doc(file, &range);
                if !commentary.is_empty() {
                    self.attribute("note", commentary);
                }
                writeln!(self.out, ">{symbol}</doc>")
            }
        };
    }

    /// Writes a line about the content that follows.
    fn note(&mut self, indent: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = self.inert(text);
        let _ = match self.style {
            Style::Cora => writeln!(self.out, "{indent}<cora:commentary>{text}</cora:commentary>"),
            Style::CodeRag => writeln!(self.out, "{indent}<codeRag:commentary>{text}</codeRag:commentary>"),
            Style::Claude | Style::OpenAi => {
                writeln!(self.out, "{indent}<!-- {} -->", text.replace("--", "‐‐"))
            }
        };
    }

    fn metadata(&mut self, file: &ResultItem, lines: &str, characters: Option<Range<usize>>) {
        self.out.push_str("    <codeRag:chunk>\n      <codeRag:metadata");
        self.attribute("file", &quoted(file.path.as_bstr()));
        self.attribute("lines", lines);
        if let Some(at) = characters {
            self.attribute("characters", &format!("{}-{}", at.start, at.end));
        }
        self.attribute("git-status", file.git_status);
        if let Some(change) = file.change {
            self.attribute("change", change.name());
        }
        self.out.push_str("/>\n");
    }

    fn doc(&mut self, file: &ResultItem, lines: &str) {
        let _ = write!(self.out, "<doc id=\"{}\"", self.n);
        self.attribute("title", &format!("{}:{lines}", quoted(file.path.as_bstr())));
        self.attribute("git-status", file.change.map_or(file.git_status, |change| change.name()));
    }

    fn attribute(&mut self, key: &str, value: &str) {
        // A quotation mark would end the value.
        let value = self.inert(&clean::name(value)).replace('"', "\\\"");
        let _ = write!(self.out, " {key}=\"{value}\"");
    }

    fn inert(&self, text: &str) -> String {
        let own: &[&str] = match self.style {
            Style::Cora | Style::CodeRag => &[],
            Style::Claude => {
                &["documents", "document", "document_content", "source", "git_status", "chunk", "repository"]
            }
            Style::OpenAi => &["doc", "repository"],
        };
        inert(text, own)
    }
}

/// Inserts a backslash after the `<` of everything that looks like one of our tags.
///
/// Tags that already have backslashes get one more, so removing one backslash each restores the
/// text. `own` lists the form's own tag names without a prefix.
fn inert(text: &str, own: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at + 1);
        out.push_str(before);
        let name = after.trim_start_matches(|c: char| c == '\\' || c == '/' || c.is_whitespace());
        let begins = |tag: &str| name.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        let is_own = |tag: &&str| {
            let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.'));
            begins(tag) && name.get(tag.len()..).is_none_or(|rest| rest.chars().next().is_none_or(is_end))
        };
        if begins("cora:") || begins("coderag:") || own.iter().any(is_own) {
            out.push('\\');
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn tags_in_source_are_inert() {
        for (source, shown) in [
            ("a </cora:content> b", "a <\\/cora:content> b"),
            ("<CORA:file x>", "<\\CORA:file x>"),
            ("< / cora:chunk>", "<\\ / cora:chunk>"),
            ("<\\/cora:content>", "<\\\\/cora:content>"),
            ("<codeRag:metadata>", "<\\codeRag:metadata>"),
            ("Vec<cora> <<b", "Vec<cora> <<b"),
            ("</doc> <docs> <doc id=1>", "</doc> <docs> <doc id=1>"),
        ] {
            assert_eq!(inert(source, &[]), shown);
        }
        assert_eq!(inert("</doc> <docs> <doc id=1>", &["doc"]), "<\\/doc> <docs> <\\doc id=1>");
    }
}

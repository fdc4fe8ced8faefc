//! What a repository or a folder is, in one sentence of its own documents.
//!
//! A README or another document → the sentence that says what it is about. The sentence is
//! recognised by its form, in English: "X is a …", or the line below the title. News, notices, rows
//! of links, and sentences about the document itself say nothing about the subject.

use super::document::{Block, blocks, without};
use super::sentence::{ASIDES, POINTERS, WORDS, before_list, begins_with, defining_verb, sentences, words};

/// Most words of a line below a title that says what something is.
const TAGLINE_WORDS: usize = 24;

/// Words of a sentence among which one about something else says so.
const ASIDE_WORDS: usize = 8;

/// What "this" is, if a sentence that begins with it is about the subject of the document.
const THINGS: [&str; 16] = [
    "app",
    "application",
    "component",
    "crate",
    "directory",
    "folder",
    "gem",
    "library",
    "module",
    "package",
    "plugin",
    "program",
    "project",
    "repo",
    "repository",
    "tool",
];

/// Most paragraphs of a document that are read.
const PARAGRAPHS: usize = 40;

/// First words of the headings of sections that say what the subject is.
const INTRODUCING: [&str; 7] =
    ["about", "description", "features", "introduction", "intro", "overview", "what"];

/// A paragraph of prose in a document.
struct Paragraph {
    text: String,
    /// Whether its section introduces the subject: the first one, or one with such a heading.
    introduces: bool,
    /// Whether it is the first of the document.
    is_first: bool,
}

/// A document as a title and paragraphs.
#[derive(Default)]
struct Document {
    title: String,
    paragraphs: Vec<Paragraph>,
}

/// The section that the next paragraph of a document is in.
struct Section {
    introduces: bool,
    /// Whether a section before it is about something else than the subject.
    has_other: bool,
    /// Whether the document has a paragraph below its title.
    has_paragraph: bool,
}

/// A sentence as a statement of what the subject of its document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statement {
    /// It says so: "X is a …", or the line below the title.
    Certain,
    /// It may say so: prose of a section that introduces the subject.
    Possible,
}

/// Returns the sentence of a document that says what it is about, or else what `manifest` says, or
/// else a sentence that may. The title if the prose only leads elsewhere; empty if there is none.
pub(super) fn what_it_is(text: &str, manifest: impl FnOnce() -> Option<String>) -> String {
    let document = Document::read(text);
    let mut may = None;
    let mut leads_elsewhere = false;
    for paragraph in &document.paragraphs {
        for (at, sentence) in sentences(&paragraph.text).into_iter().enumerate() {
            let sentence = before_list(sentence);
            match document.statement(&sentence, paragraph, at) {
                Some(Statement::Certain) => return sentence,
                Some(Statement::Possible) if at == 0 && may.is_none() && !leads_elsewhere => {
                    may = Some(sentence)
                }
                Some(Statement::Possible) => {}
                None => leads_elsewhere |= at == 0 && begins_with(&sentence, &POINTERS),
            }
        }
    }
    let title = if leads_elsewhere { document.title } else { String::new() };
    manifest().or(may).unwrap_or(title)
}

/// Returns the name of the subject of a sentence: its only word before "is". It may be empty.
pub(super) fn subject(sentence: &str) -> String {
    let words = words(&without(sentence, " (", ")"));
    match defining_verb(&words) {
        Some(1) => words.into_iter().next().unwrap_or_default(),
        _ => String::new(),
    }
}

impl Document {
    fn read(text: &str) -> Self {
        let mut document = Self::default();
        let mut section = Section { introduces: true, has_other: false, has_paragraph: false };
        for block in blocks(text, PARAGRAPHS) {
            match block {
                Block::Heading { text, is_first_level } => {
                    document.begin_section(&mut section, text, is_first_level);
                }
                Block::Paragraph(text) => {
                    let is_first = !std::mem::replace(&mut section.has_paragraph, true);
                    document.paragraphs.push(Paragraph { text, introduces: section.introduces, is_first });
                }
            }
        }
        document
    }

    /// Takes a heading as the title, or as the beginning of another section.
    fn begin_section(&mut self, section: &mut Section, heading: String, is_first_level: bool) {
        let is_aside = words(&heading).iter().any(|word| ASIDES.contains(&word.as_str()));
        let is_name = !heading.starts_with(|c: char| c.is_ascii_digit()) && !is_aside;
        section.introduces = begins_with(&heading, &INTRODUCING);
        let may_have_title = !section.has_other && self.title.is_empty() && !section.introduces;
        // Prose above a title that does not say what it is about is about something else.
        let says = |of: &Paragraph| {
            let first = sentences(&of.text).into_iter().next().unwrap_or_default();
            self.statement(&first, of, 0) == Some(Statement::Certain)
        };
        let is_above = is_first_level && !self.paragraphs.iter().any(says);
        if may_have_title && is_name && (!section.has_paragraph || is_above) {
            for paragraph in &mut self.paragraphs {
                (paragraph.introduces, paragraph.is_first) = (false, false);
            }
            (section.introduces, section.has_paragraph) = (true, false);
            self.title = heading;
        } else {
            section.has_other |= !section.introduces;
        }
    }

    /// Judges the sentence at a place of a paragraph; `None` if it says nothing about the subject.
    fn statement(&self, sentence: &str, of: &Paragraph, at: usize) -> Option<Statement> {
        // What is in parentheses says how the subject is spoken, or what it is short for.
        let words = words(&without(sentence, " (", ")"));
        let is_aside = words.iter().take(ASIDE_WORDS).any(|word| ASIDES.contains(&word.as_str()));
        let is_loud = !sentence.chars().any(char::is_lowercase) || sentence.ends_with('?');
        let is_quoted = sentence.trim_start_matches('_').starts_with(['"', '“']);
        if words.len() < WORDS || is_aside || is_loud || is_quoted || begins_with(sentence, &POINTERS) {
            return None;
        }
        if let Some(verb) = defining_verb(&words) {
            let subject = words.get(..verb).unwrap_or_default();
            let is_this = subject.first().is_some_and(|first| first == "this");
            let is_thing = match words.get(1).map(String::as_str) {
                Some("is") => words.get(2).is_some_and(|next| matches!(next.as_str(), "a" | "an" | "the")),
                second => second.is_some_and(|thing| THINGS.contains(&thing)),
            };
            // Without a title, a short subject is the name.
            let is_name = self.title.is_empty() && verb <= 3 && !is_this;
            let is_first = at == 0 && if is_this { is_thing } else { of.is_first };
            if self.is_titled(subject, of) && !is_this || of.introduces && (is_name || is_first) {
                return Some(Statement::Certain);
            }
        }
        if at > 0 || !of.introduces {
            return None;
        }
        let is_phrase = matches!(words.first().map(String::as_str), Some("a" | "an"));
        let is_dated = words.iter().any(|word| word.len() == 4 && word.starts_with("20"));
        let is_alone = words.len() <= TAGLINE_WORDS && sentences(&of.text).len() == 1 && !is_dated;
        let is_tagline = of.is_first && !self.title.is_empty() && is_alone;
        Some(if is_tagline || is_phrase { Statement::Certain } else { Statement::Possible })
    }

    /// Returns whether the subject of a sentence is named by the title. Later sections are about
    /// parts of it as well, so there it is nothing but the name.
    fn is_titled(&self, subject: &[String], of: &Paragraph) -> bool {
        let title = words(&self.title);
        let (joined, asides) = (title.concat(), ["documentation", "docs", "using", "of", "for"]);
        let is_name = |word: &String| word.len() > 1 && (title.contains(word) || joined == *word);
        let may_be = |word: &String| is_name(word) || of.introduces || word == "the";
        subject.iter().any(is_name)
            && subject.iter().all(may_be)
            && !subject.iter().any(|word| asides.contains(&word.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_of_prose_says_what_it_is() {
        for (document, expected) in [
            (
                "# Tool\n\n[![Build](https://x/y.svg)](https://x)\n\n<p align=\"center\">\n\n**Tool** is a [fast](https://x) \
                 search. It has more.\n",
                "Tool is a fast search.",
            ),
            (
                "Tool\n====\n\nA library that reads\nmany files at a time.\n",
                "A library that reads many files at a time.",
            ),
            (
                "Welcome to tmux!\n\ntmux is a terminal multiplexer: it enables a number of things.\n",
                "tmux is a terminal multiplexer: it enables a number of things.",
            ),
            ("# A\n\n```sh\nrun this and that now\n```\n\n> quoted\n\n| a | b |\n", ""),
            ("# A\n\nThe snake_case tool for everyone ![logo](x.png)\n", "The snake_case tool for everyone"),
            (
                "Apache Kafka\n=================\nSee our [web site](https://x) for details on the project.\n",
                "Apache Kafka",
            ),
            ("# The Tool\n\nPlease read the documentation at x first.\n\n## More\n", "The Tool"),
            (
                "# store\n\n**Note**: The branch may be broken during development.\n\nstore is a reliable key-value \
                 store for the most critical data, with a focus on being:\n\n* simple\n",
                "store is a reliable key-value store for the most critical data",
            ),
            (
                "# Tool\n\nSee our site for all details.\n\nWe build and test the tool with two versions.\n",
                "Tool",
            ),
            ("# Tool\n\nSee our site for all details.\n\n## How\n\nThe tool is built with make.\n", "Tool"),
            ("", ""),
        ] {
            assert_eq!(what_it_is(document, || None), expected, "{document}");
        }
    }

    #[test]
    fn news_links_and_notices_say_nothing_of_the_subject() {
        for (document, expected) in [
            (
                "This README is just a *quick start* document. More is at [x](https://x).\n\nWhat is Rodis?\n---\n\n\
                 Rodis is often called a *data structures* server. It has more.\n",
                "Rodis is often called a data structures server.",
            ),
            (
                "<!--\nCopyright (C) A Person, et al.\n-->\n\n# [![logo](https://x/y.svg)](https://x/)\n\nkurl is a \
                 tool for transferring data.\n",
                "kurl is a tool for transferring data.",
            ),
            (
                "# mvp\n\n* [Links](#links)\n* [Overview](#overview)\n\n## Links\n\n* [Wiki](https://x)\n\n\
                 ## Overview\n\n**mvp** is a free (as in freedom) media player for the command line.\n",
                "mvp is a free (as in freedom) media player for the command line.",
            ),
            (
                "# Lint\n\n[Website](https://x) |\n[Rules](https://x) |\n[Report Bugs](https://x)\n\nLint is a tool \
                 for reporting patterns in code. It has rules.\n",
                "Lint is a tool for reporting patterns in code.",
            ),
            (
                "# Gyn Web Framework\n\n## Gyn 1.12.0 is now available!\n\nWe're excited to announce the release of \
                 Gyn 1.12.0! This release brings new features.\n\n---\n\nGyn is a web framework written in Go.\n",
                "Gyn is a web framework written in Go.",
            ),
            (
                "<div>\n<h1>pack</h1>\n<p>\n    Pack is a module bundler. It bundles.\n</p>\n</div>\n",
                "Pack is a module bundler.",
            ),
            (
                "Show your love -- mugs and stickers now here!\n\nfz is a fuzzy finder for lines. More.\n\n\
                 Highlights\n----------\n\nThe tool is quick and portable.\n",
                "fz is a fuzzy finder for lines.",
            ),
        ] {
            assert_eq!(what_it_is(document, || None), expected, "{document}");
        }
        let manifest = || Some("HTTP client for browsers".to_owned());
        assert_eq!(
            what_it_is("# Axo\n\nWe are looking for sponsors.\n", manifest),
            "HTTP client for browsers"
        );
    }
}

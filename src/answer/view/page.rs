//! Pages: what is known about a file or a declaration → one Markdown document with links.
//!
//! Owns [`Page`], the content of such a document, and its renderings: Markdown ([`page`]) and JSON
//! (serde). All text from the repository goes through [`super::prose`], so it can't leave its part
//! of the page or act on a terminal. The output depends only on the content: not on clock or
//! machine.

use super::forge::{Forge, LinkLines, relative_link};
use super::markdown::{longest_run, tag};
use super::prose::{code, embedded, escaped};
use super::{Budget, Commentary, counted};
use crate::base::text::{clean, named_path};
use crate::search::graph::Evidence;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The content of a page.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Page {
    /// The path or symbol that the user asked for.
    pub title: String,
    /// The commit that was read; `None` before the first commit.
    pub commit: Option<String>,
    /// Whether the working tree was read.
    pub worktree: bool,
    /// The files named on the page that differ from the commit.
    pub modified: BTreeSet<String>,
    /// The file, or the declarations of that name.
    pub subjects: Vec<Subject>,
    /// Number of further declarations with that name.
    pub more: usize,
}

/// A file or a declaration.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Subject {
    /// Its place.
    #[serde(flatten)]
    pub place: PagePlace,
    /// Its language.
    pub language: String,
    /// Its signature as written; empty if it has none.
    pub signature: String,
    /// Its doc comment without comment marks; empty if it has none.
    pub doc: String,
    /// A note by a language model about the chunk in which the subject begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commentary: Option<Commentary>,
    /// The declarations inside it, outer before inner.
    pub members: Vec<Member>,
    /// Number of declarations inside it that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_members: usize,
    /// Its related places; lists without items are left out.
    pub related: Vec<RelatedList>,
}

/// A place in the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct PagePlace {
    /// Source path; one that is not UTF-8 is quoted as Git does.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Symbol path; empty for a file and outside declarations.
    pub symbol: String,
    /// Kind of the declaration or of the chunk; `file` for a file.
    pub kind: String,
}

/// A declaration inside another one or inside a file.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct Member {
    /// Its place.
    #[serde(flatten)]
    pub place: PagePlace,
    /// Its bare name.
    pub name: String,
    /// Number of members that enclose it.
    pub depth: usize,
    /// The first sentence of its doc comment; empty if it has none.
    pub summary: String,
}

/// A list of related places.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct RelatedList {
    /// The relation, as a heading: `Called by`.
    pub title: String,
    /// The first related places.
    pub items: Vec<RelatedItem>,
    /// Number of further related places.
    pub more: usize,
}

/// A related place.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct RelatedItem {
    /// Its place. For an address outside the repository, the path is the address and the kind is
    /// `url`.
    #[serde(flatten)]
    pub place: PagePlace,
    /// Path and line where one of the two mentions the other, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<(String, u32)>,
    /// How the subject mentions the place at that line: `called`. Empty if the line is in the
    /// place.
    #[serde(skip)]
    pub participle: &'static str,
    /// For a file: the names that relate it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Number of further names.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_names: usize,
    /// The reason for the relation if it is a guess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guess: Option<Evidence>,
    /// Whether it is a test.
    pub test: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands over references
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// How much of a page is shown.
#[derive(Clone, Copy)]
struct Extent {
    items: usize,
    members: usize,
    doc_lines: usize,
    signature_lines: usize,
}

/// The extents from largest to smallest. The first one that fits the budget is used.
const EXTENTS: [Extent; 9] = [
    Extent { items: usize::MAX, members: usize::MAX, doc_lines: 200, signature_lines: 40 },
    Extent { items: 20, members: 100, doc_lines: 100, signature_lines: 40 },
    Extent { items: 12, members: 60, doc_lines: 60, signature_lines: 30 },
    Extent { items: 8, members: 30, doc_lines: 30, signature_lines: 20 },
    Extent { items: 5, members: 15, doc_lines: 15, signature_lines: 12 },
    Extent { items: 3, members: 8, doc_lines: 8, signature_lines: 8 },
    Extent { items: 1, members: 3, doc_lines: 3, signature_lines: 3 },
    Extent { items: 0, members: 0, doc_lines: 1, signature_lines: 1 },
    Extent { items: 0, members: 0, doc_lines: 0, signature_lines: 0 },
];

/// Writes the page as Markdown, within the budget.
///
/// Links are relative to the repository's root. With `forge`, they are permanent links to the
/// commit, except for files that differ from it. If not even the heading fits the budget, the
/// output is empty.
pub fn page(page: &Page, forge: Option<&Forge>, budget: &Budget) -> String {
    let links = Links { page, forge: forge.zip(page.commit.as_deref()) };
    let drawn = EXTENTS.iter().map(|extent| draw(page, &links, *extent));
    drawn.into_iter().find(|text| budget.holds(text)).unwrap_or_default()
}

struct Links<'p> {
    page: &'p Page,
    forge: Option<(&'p Forge, &'p str)>,
}

impl Links<'_> {
    /// Returns a link with this text, which must already be Markdown.
    fn to(&self, text: &str, path: &str, lines: LinkLines) -> String {
        let address = match self.forge.filter(|_| !self.page.modified.contains(path)) {
            Some((forge, commit)) => forge.link(commit, &named_path(path), lines),
            None => relative_link(&named_path(path), lines),
        };
        format!("[{text}]({address})")
    }

    fn place(&self, place: &PagePlace) -> String {
        let lines = (place.kind != "file").then_some((place.start_line, place.end_line));
        let shown = match lines {
            Some((first, last)) if first == last => format!("{}:{first}", place.path),
            Some((first, last)) => format!("{}:{first}-{last}", place.path),
            None => place.path.clone(),
        };
        self.to(&code(&shown), &place.path, lines)
    }
}

fn draw(page: &Page, links: &Links<'_>, extent: Extent) -> String {
    let mut out = format!("# {}\n\n", code(&page.title));
    let is_one = page.subjects.len() == 1;
    let head = if is_one { "##" } else { "###" };
    for subject in &page.subjects {
        if !is_one {
            let name =
                if subject.place.symbol.is_empty() { &subject.place.path } else { &subject.place.symbol };
            let _ = writeln!(out, "## {} in {}\n", code(name), code(&subject.place.path));
        }
        draw_subject(&mut out, subject, links, head, extent);
    }
    if page.more > 0 {
        let _ = writeln!(
            out,
            "{} this name.\n",
            counted(page.more, "more declaration has", "more declarations have")
        );
    }
    let commit =
        page.commit.as_deref().map_or("before the first commit", |commit| commit.get(..12).unwrap_or(commit));
    let n = if page.worktree { page.modified.len() } else { 0 };
    let state = match page.commit {
        None => commit.to_owned(),
        Some(_) if n > 0 => {
            let files = counted(n, "of the files above has", "of the files above have");
            format!("Working tree at {commit}; {files} uncommitted changes")
        }
        Some(_) => format!("At {commit}"),
    };
    let _ = write!(out, "---\n\n{state}");
    out.push_str(".\n");
    out
}

fn draw_subject(out: &mut String, subject: &Subject, links: &Links<'_>, head: &str, extent: Extent) {
    let _ = writeln!(
        out,
        "{} · {} · {}\n",
        clean::name(&subject.place.kind),
        clean::name(&subject.language),
        links.place(&subject.place)
    );
    if !subject.signature.is_empty() && extent.signature_lines > 0 {
        let mut lines = subject.signature.lines();
        let mut text = String::new();
        for line in lines.by_ref().take(extent.signature_lines) {
            text.push_str(&clean::line(line.trim_end()));
            text.push('\n');
        }
        if lines.next().is_some() {
            text.push_str(". . .\n");
        }
        let fence = "`".repeat(longest_run(&text, '`').max(2) + 1);
        let _ = writeln!(out, "{fence}{}\n{text}{fence}\n", tag(&subject.language));
    }
    if extent.doc_lines > 0 {
        let (text, is_cut) = embedded(&subject.doc, extent.doc_lines);
        if !text.is_empty() {
            out.push_str(&text);
            out.push_str(if is_cut { "\n. . .\n\n" } else { "\n" });
        }
    }
    if let Some(commentary) = subject.commentary.as_ref().filter(|_| extent.doc_lines > 1) {
        let (text, _) = embedded(&commentary.text, 1);
        // `embedded` closes an open fence on a further line.
        for line in text.lines() {
            let _ = writeln!(out, "> {line}");
        }
        let _ = writeln!(out, ">\n> *generated by {}*\n", code(&commentary.model));
    }
    let n_members = subject.members.len() + subject.more_members;
    if n_members > 0 {
        if extent.members == 0 {
            let _ = writeln!(out, "{} inside.\n", counted(n_members, "declaration", "declarations"));
        } else {
            let _ = writeln!(out, "{head} Inside\n");
            for member in subject.members.iter().take(extent.members) {
                let place = &member.place;
                let lines = Some((place.start_line, place.end_line));
                let indent = "  ".repeat(member.depth.min(8));
                let name = links.to(&code(&member.name), &place.path, lines);
                let _ = write!(out, "{indent}- {name} {}", clean::name(&place.kind));
                if !member.summary.is_empty() {
                    let _ = write!(out, " — {}", escaped(&member.summary));
                }
                out.push('\n');
            }
            more(out, n_members - subject.members.len().min(extent.members));
            out.push('\n');
        }
    }
    for list in &subject.related {
        let n = list.items.len() + list.more;
        if extent.items == 0 {
            let _ = writeln!(out, "{}: {n}.\n", list.title);
            continue;
        }
        let _ = writeln!(out, "{head} {}\n", list.title);
        for item in list.items.iter().take(extent.items) {
            let _ = writeln!(out, "- {}", related(item, links));
        }
        more(out, n - list.items.len().min(extent.items));
        out.push('\n');
    }
}

fn more(out: &mut String, n: usize) {
    if n > 0 {
        let _ = writeln!(out, "- and {n} more");
    }
}

fn related(item: &RelatedItem, links: &Links<'_>) -> String {
    let place = &item.place;
    let mut out = match place.kind.as_str() {
        "url" => {
            let is_safe = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '\\' | '"' | '`');
            if place.path.chars().all(is_safe) { format!("<{}>", place.path) } else { code(&place.path) }
        }
        "file" => links.to(&code(&place.path), &place.path, None),
        kind => {
            let lines = Some((place.start_line, place.end_line));
            let name = if place.symbol.is_empty() {
                format!("{}:{}", place.path, place.start_line)
            } else {
                place.symbol.clone()
            };
            format!(
                "{} {} in {}",
                links.to(&code(&name), &place.path, lines),
                clean::name(kind),
                code(&place.path)
            )
        }
    };
    if !item.names.is_empty() {
        let names: Vec<String> = item.names.iter().map(|name| code(name)).collect();
        let _ = write!(out, ": {}", names.join(", "));
        if item.more_names > 0 {
            let _ = write!(out, " and {} more", item.more_names);
        }
    }
    if let Some((path, line)) = &item.at {
        let at = format!("{} at", item.participle);
        let _ = write!(
            out,
            ", {} {}",
            at.trim_start(),
            links.to(&format!("line {line}"), path, Some((*line, *line)))
        );
    }
    if let Some(guess) = &item.guess {
        let _ = write!(out, " (a guess: {})", guess.words());
    }
    if item.test {
        out.push_str(" (test)");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str, symbol: &str, kind: &str) -> PagePlace {
        PagePlace { path: path.into(), start_line: 3, end_line: 9, symbol: symbol.into(), kind: kind.into() }
    }

    fn sample() -> Page {
        Page {
            title: "Store".into(),
            commit: Some("0123456789abcdef0123".into()),
            worktree: true,
            modified: BTreeSet::from(["b.rs".to_owned()]),
            subjects: vec![Subject {
                place: place("a.rs", "Store", "struct"),
                language: "rust".into(),
                signature: "pub struct Store".into(),
                doc: "# Keeps it.\n\n<b>\n```\nopen".into(),
                commentary: None,
                members: vec![Member {
                    place: place("a.rs", "Store::get", "method"),
                    name: "get".into(),
                    depth: 0,
                    summary: "Gives it.".into(),
                }],
                more_members: 0,
                related: vec![RelatedList {
                    title: "Called by".into(),
                    items: vec![RelatedItem {
                        place: place("b.rs", "main", "function"),
                        at: Some(("b.rs".into(), 4)),
                        guess: Some(Evidence::Name),
                        ..RelatedItem::default()
                    }],
                    more: 2,
                }],
            }],
            more: 0,
        }
    }

    #[test]
    fn a_page_reads_from_top_to_bottom() {
        insta::assert_snapshot!(page(&sample(), None, &Budget::default()), @r#"
        # `Store`

        struct · rust · [`a.rs:3-9`](a.rs#L3-L9)

        ```rust
        pub struct Store
        ```

        **Keeps it.**

        \<b>
        ```
        open
        ```

        ## Inside

        - [`get`](a.rs#L3-L9) method — Gives it.

        ## Called by

        - [`main`](b.rs#L3-L9) function in `b.rs`, at [line 4](b.rs#L4) (a guess: only the name matches)
        - and 2 more

        ---

        Working tree at 0123456789ab; 1 of the files above has uncommitted changes.
        "#);
    }

    #[test]
    fn permanent_links_are_for_what_the_commit_has() {
        let forge = Forge::of("git@github.com:a/b.git").unwrap();
        let text = page(&sample(), Some(&forge), &Budget::default());
        assert!(text.contains("(https://github.com/a/b/blob/0123456789abcdef0123/a.rs#L3-L9)"), "{text}");
        assert!(text.contains("[`main`](b.rs#L3-L9)"), "{text}");
    }

    #[test]
    fn a_budget_is_kept() {
        let mut long = sample();
        for subject in &mut long.subjects {
            subject.doc = "words of prose\n".repeat(300);
            let item = subject.related[0].items[0].clone();
            subject.related[0].items = vec![item; 100];
        }
        let mut before = usize::MAX;
        for most in [20_000, 4000, 1000, 300, 60, 10] {
            let text = page(&long, None, &Budget { characters: Some(most), tokens: None });
            assert!(text.chars().count() <= most.min(before));
            assert_eq!(text.is_empty(), most < 100, "{most}: {text}");
            before = text.chars().count();
        }
    }

    #[test]
    fn nothing_in_a_repository_leaves_its_place() {
        let evil = "x`](javascript:alert(1))\n# Title <script>";
        let mut bad = sample();
        for subject in &mut bad.subjects {
            subject.place.symbol = evil.into();
            subject.place.path = evil.into();
            subject.signature = "````\n# Title".into();
            subject.members[0].name = evil.into();
            subject.related[0].items[0].place.path = evil.into();
            subject.related[0].items[0].names = vec![evil.into()];
        }
        let text = page(&bad, None, &Budget::default());
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("# ")).collect();
        // The second heading is inside a fence of five backticks.
        assert_eq!(headings, ["# `Store`", "# Title"], "{text}");
        assert!(text.contains("`````rust\n````\n# Title\n`````\n"), "{text}");
        // Outside code spans there are no links but ours.
        let outside: Vec<&str> = text.lines().flat_map(|line| line.split("``").step_by(2)).collect();
        assert!(!outside.iter().any(|part| part.contains("(javascript")), "{text}");
    }

    #[test]
    fn a_note_stays_in_its_quote() {
        let mut page = sample();
        let text = "```\u{202e} all that follows".to_owned();
        page.subjects[0].commentary = Some(Commentary { text, model: "x:`y".into() });
        let drawn = super::page(&page, None, &Budget::default());
        let from = drawn.find("> ```").unwrap();
        let quoted: Vec<&str> = drawn[from..].lines().take_while(|line| !line.is_empty()).collect();
        assert!(quoted.iter().all(|line| line.starts_with('>')), "{drawn}");
        assert!(quoted[1] == "> ```" && quoted.last().unwrap().contains("generated by"), "{drawn}");
        assert!(!drawn.contains('\u{202e}'), "{drawn}");
    }
}

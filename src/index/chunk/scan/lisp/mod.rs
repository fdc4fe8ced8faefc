//! Lisps: s-expressions → definitions, and the names that they call, use, import and inherit.
//!
//! One scanner reads Clojure, Common Lisp, Emacs Lisp, Scheme and Racket, which differ in a small
//! table. A grammar of s-expressions would know lists and symbols only, as [`lexer`] does, and
//! there is none for all five. What a list means is the word that it begins with: [`dialect`] says
//! which words declare, and which bind names. `declared` finds the definitions at the top,
//! `nested` those in them, `mentions` what the code names, and `modules` what a file imports.

mod declared;
mod definition;
mod dialect;
mod lexer;
mod mentions;
mod modules;
mod nested;
mod scheme;

use super::super::atom::AtomKind;
use super::super::lines::{Lines, offset};
use super::super::mention::{MAX_NAME, Mention};
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, ReferenceKind};
use super::{Page, Scanner};
use dialect::{CLOJURE, COMMON_LISP, Dialect, DialectKind, EMACS_LISP};
use hashbrown::{HashMap, HashSet};
use lexer::{Form, FormKind};
use scheme::SCHEME;
use std::borrow::Cow;

/// Clojure's scanner.
pub(in crate::index::chunk) const CLOJURE_SCANNER: Scanner =
    Scanner { scan: |lines| scan(lines, &CLOJURE), chunks: None, is_exact: true };

/// Common Lisp's scanner.
pub(in crate::index::chunk) const COMMON_LISP_SCANNER: Scanner =
    Scanner { scan: |lines| scan(lines, &COMMON_LISP), chunks: None, is_exact: true };

/// The scanner of Emacs Lisp.
pub(in crate::index::chunk) const EMACS_LISP_SCANNER: Scanner =
    Scanner { scan: |lines| scan(lines, &EMACS_LISP), chunks: None, is_exact: true };

/// The scanner of Scheme and Racket.
pub(in crate::index::chunk) const SCHEME_SCANNER: Scanner =
    Scanner { scan: |lines| scan(lines, &SCHEME), chunks: None, is_exact: true };

/// Most lists around a line that its atom tells from each other.
const MAX_DEPTH: u32 = 64;

/// A file of Lisp.
struct Lisp<'t> {
    page: Page<'t>,
    dialect: &'static Dialect,
    forms: Vec<Form>,
    /// The declaration that each list makes, by the index of the form.
    declared: HashMap<usize, u32>,
    /// The names at the top of the file, and those that it imports.
    known: HashSet<&'t str>,
    /// What Racket's imports put in front of the names of a module (`prefix-in`).
    prefixes: Vec<&'t str>,
}

fn scan<'t>(lines: &'t Lines<'t>, dialect: &'static Dialect) -> Option<WalkResult<'t>> {
    let page = Page::new(lines);
    let read = lexer::read(page.text, dialect.syntax);
    // A file of data (`.edn`) has no lists at the top.
    let is_list = |form: &Form| form.depth == 0 && form.kind == FormKind::List;
    if !read.forms.is_empty() && !read.forms.iter().any(is_list) {
        return None;
    }
    let mut lisp = Lisp {
        page,
        dialect,
        forms: read.forms,
        declared: HashMap::new(),
        known: HashSet::new(),
        prefixes: Vec::new(),
    };
    lisp.atoms(&read.comments);
    lisp.declare_all(&read.comments);
    lisp.mention_all();
    Some(lisp.page.finish())
}

impl<'t> Lisp<'t> {
    fn form(&self, at: usize) -> Option<Form> {
        self.forms.get(at).copied()
    }

    /// Returns the text of a form.
    fn text(&self, at: usize) -> &'t str {
        self.form(at).map(|form| form.bytes.of(self.page.text)).unwrap_or_default()
    }

    /// Returns the forms directly in a list, without those that are left out.
    fn children(&self, at: usize) -> Vec<usize> {
        let end = self.form(at).map_or(at, |form| form.next as usize);
        let mut found = Vec::new();
        let mut child = at + 1;
        while child < end
            && let Some(form) = self.form(child)
        {
            if !form.is_skipped {
                found.push(child);
            }
            child = form.next as usize;
        }
        found
    }

    fn is(&self, at: usize, kind: FormKind) -> bool {
        self.form(at).is_some_and(|form| form.kind == kind)
    }

    /// Returns whether a form is read by one of several systems: `#?(:clj a :cljs b)`.
    fn is_conditional(&self, at: usize) -> bool {
        self.dialect.kind == DialectKind::Clojure
            && self.form(at).is_some_and(|form| {
                let marks = ByteRange { start: form.start, end: form.bytes.start };
                marks.of(self.page.text).contains("#?")
            })
    }

    /// Returns forms, with those in the branches of a reader conditional instead of it.
    fn branches(&self, forms: &[usize]) -> Vec<usize> {
        let mut found = Vec::new();
        for &form in forms {
            if !self.is_conditional(form) {
                found.push(form);
                continue;
            }
            let start = self.form(form).map(|form| form.start).unwrap_or_default();
            let is_spliced = self.page.text.get(start as usize..).is_some_and(|text| text.starts_with("#?@"));
            for branch in self.children(form).into_iter().skip(1).step_by(2) {
                if is_spliced {
                    found.extend(self.children(branch));
                } else {
                    found.push(branch);
                }
            }
        }
        found
    }

    /// Returns the word that a list begins with; empty if it begins with anything else.
    fn word(&self, at: usize) -> &'t str {
        let is_list = self.is(at, FormKind::List);
        let first = self.forms.get(at + 1..).and_then(|rest| {
            let end = self.form(at)?.next as usize;
            let mut child = at + 1;
            while child < end {
                let form = rest.get(child - at - 1)?;
                if !form.is_skipped {
                    return Some(child);
                }
                child = form.next as usize;
            }
            None
        });
        first
            .filter(|&first| is_list && self.is(first, FormKind::Symbol))
            .map(|first| self.text(first))
            .unwrap_or_default()
    }

    /// Makes an atom of each line; its depth is the number of lists around. Lines of a string are
    /// one atom.
    fn atoms(&mut self, comments: &[ByteRange]) {
        let text = self.page.text;
        let lines = self.page.lines;
        let mut depths: Vec<Option<u32>> = vec![None; lines.len() as usize];
        for form in &self.forms {
            let line = lines.of(form.start) as usize;
            if let Some(depth) = depths.get_mut(line).filter(|depth| depth.is_none()) {
                *depth = Some(form.depth.min(MAX_DEPTH) + 1);
            }
        }
        let is_alone = |comment: &ByteRange| {
            let start = lines.start(lines.of(comment.start));
            ByteRange { start, end: comment.start }.of(text).trim().is_empty()
        };
        let mut is_comment: Vec<bool> = vec![false; lines.len() as usize];
        for comment in comments.iter().filter(|comment| comment.start < comment.end) {
            self.page.remark(*comment);
            let (first, last) = (lines.of(comment.start), lines.of(comment.end - 1));
            let is_alone = is_alone(comment);
            for line in first..=last {
                if let Some(one) = is_comment.get_mut(line as usize) {
                    *one = is_alone || line > first;
                }
            }
        }
        let mut line = 0;
        let mut around = 1;
        while line < lines.len() {
            let depth = depths.get(line as usize).copied().flatten();
            if is_comment.get(line as usize) == Some(&true) {
                self.page.atom(line, line, depth.unwrap_or(around), AtomKind::Comment);
                line += 1;
                continue;
            }
            let first = line;
            around = depth.unwrap_or(around);
            line += 1;
            // Lines in which no form begins are in a string, or only close lists.
            while line < lines.len()
                && depths.get(line as usize) == Some(&None)
                && is_comment.get(line as usize) != Some(&true)
                && !self.page.line(line).trim().is_empty()
            {
                line += 1;
            }
            self.page.atom(first, line - 1, around, AtomKind::Other);
        }
    }

    /// Adds a mention.
    fn mention_at(&mut self, bytes: ByteRange, kind: ReferenceKind, qualifier: &'t str, within: Option<u32>) {
        let name = bytes.of(self.page.text);
        if !name.is_empty() && name.len() <= MAX_NAME && !name.contains('\n') {
            let mention = Mention::new(bytes.start, kind, name, Cow::Borrowed(qualifier));
            self.page.out.mentions.push(Mention { within, ..mention });
        }
    }

    /// Returns what an import put in front of a name.
    fn prefix_of(&self, written: &str) -> Option<&'t str> {
        let is_prefix = |prefix: &&&str| written.len() > prefix.len() && written.starts_with(**prefix);
        self.prefixes.iter().filter(is_prefix).max_by_key(|prefix| prefix.len()).copied()
    }

    /// Splits a symbol into what stands in front of its name, and the bytes of the name.
    fn split(&self, at: usize) -> (&'t str, ByteRange) {
        let Some(form) = self.form(at) else { return ("", ByteRange::default()) };
        let (written, bytes) = (self.text(at), form.bytes);
        let cut = match self.dialect.kind {
            DialectKind::Clojure => written.find('/').filter(|cut| *cut > 0 && cut + 1 < written.len()),
            DialectKind::CommonLisp => written.rfind(':').filter(|cut| *cut > 0),
            DialectKind::Scheme => self.prefix_of(written).map(|prefix| prefix.len() - 1),
            DialectKind::EmacsLisp => None,
        };
        let Some(cut) = cut else { return ("", bytes) };
        let qualifier = match self.dialect.kind {
            DialectKind::Scheme => plain_prefix(written.get(..=cut).unwrap_or_default()),
            _ => written.get(..cut).unwrap_or_default().trim_end_matches(':'),
        };
        (qualifier, ByteRange { start: bytes.start + offset(cut + 1), ..bytes })
    }
}

/// Returns a prefix of imported names without the marks at its end: `price` of `price:`.
fn plain_prefix(prefix: &str) -> &str {
    prefix.trim_end_matches(|c: char| !c.is_alphanumeric())
}

//! SCSS and Less: blocks and statements → rules, mixins, functions, variables, and their uses.
//!
//! Reads braces, semicolons, strings and comments, which both languages share. The grammars for
//! them fail on a fifth of real text (modules, maps, interpolation), and one broken value then
//! costs the rules around it. Here it costs nothing. A mixin of SCSS is `@mixin name`; one of Less
//! is a rule with parentheses (`.name()`).

use super::super::atom::{Atom, AtomKind};
use super::super::lines::{Lines, offset};
use super::super::mention::MAX_NAME;
use super::super::parts::MAX_PARTS;
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, Declaration, DeclarationKind as K, ReferenceKind};
use super::{LinedDeclaration, Page, Scanner};
use crate::base::text::head;
use crate::index::chunk::lang::css::names_key_frames;
use std::ops::Range;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner = Scanner { scan, chunks: None, is_exact: false };

/// Deepest nesting of blocks whose rules are declared.
const MAX_DEPTH: usize = 24;

/// Functions of style sheets themselves, which are not calls.
const FUNCTIONS: [&str; 47] = [
    "and",
    "attr",
    "blur",
    "calc",
    "clamp",
    "cubic-bezier",
    "darken",
    "default",
    "drop-shadow",
    "env",
    "fade",
    "format",
    "hsl",
    "hsla",
    "if",
    "is",
    "lighten",
    "linear-gradient",
    "map-get",
    "map-merge",
    "matrix",
    "max",
    "min",
    "minmax",
    "mix",
    "not",
    "nth",
    "nth-child",
    "nth-of-type",
    "percentage",
    "radial-gradient",
    "repeat",
    "rgb",
    "rgba",
    "rotate",
    "scale",
    "scaleX",
    "scaleY",
    "skew",
    "translate",
    "translate3d",
    "translateX",
    "translateY",
    "type-of",
    "url",
    "var",
    "where",
];

/// At-rules whose blocks are conditions and loops, or mixed in: not rules of their own.
const CONTROL: [&str; 12] = [
    "@at-root", "@content", "@debug", "@each", "@else", "@error", "@extend", "@for", "@if", "@include",
    "@return", "@while",
];

fn scan<'t>(lines: &'t Lines<'t>) -> Option<WalkResult<'t>> {
    let end = offset(lines.text().len());
    let start = Page::new(lines).range(0, 0).start;
    Some(scan_part(lines, ByteRange { start, end }))
}

/// Scans a part of a text that is a style sheet: the element `<style lang="scss">`.
pub(in crate::index::chunk) fn scan_part<'t>(lines: &'t Lines<'t>, part: ByteRange) -> WalkResult<'t> {
    // Positions are those in the whole text, so only its end is cut off.
    let text = head(lines.text(), part.end as usize);
    let page = Page { text, ..Page::new(lines) };
    let at = part.start as usize;
    let mut sheet = Sheet { page, blocks: Vec::new(), at, start: None, no_comment_ends: false };
    sheet.read();
    sheet.page.finish()
}

/// An open block.
struct Block {
    /// The declarations that it is the body of: one for each selector of a rule.
    declarations: Range<u32>,
    /// The innermost declaration around what is inside.
    owner: Option<u32>,
    /// Whether variables inside are local.
    is_local: bool,
}

struct Sheet<'t> {
    page: Page<'t>,
    blocks: Vec<Block>,
    at: usize,
    /// Where the statement that is being read begins.
    start: Option<usize>,
    no_comment_ends: bool,
}

impl<'t> Sheet<'t> {
    fn text(&self, from: usize, to: usize) -> &'t str {
        self.page.text.get(from..to).unwrap_or_default()
    }

    fn read(&mut self) {
        let bytes = self.page.text.as_bytes();
        // Open parentheses and interpolations, in which semicolons and braces mean nothing.
        let mut inner: Vec<u8> = Vec::new();
        while let Some(&byte) = bytes.get(self.at) {
            let next = bytes.get(self.at + 1).copied();
            match byte {
                b'/' if next == Some(b'*') || next == Some(b'/') => {
                    if self.comment(next == Some(b'*')) {
                        continue;
                    }
                }
                b'"' | b'\'' => {
                    self.begin();
                    self.string(byte);
                    continue;
                }
                b'#' | b'@' if next == Some(b'{') => {
                    self.begin();
                    inner.push(b'{');
                    self.at += 1;
                }
                b'(' => {
                    self.begin();
                    inner.push(b'(');
                }
                b')' if inner.last() == Some(&b'(') => {
                    inner.pop();
                }
                b'}' if inner.contains(&b'{') => while inner.pop().is_some_and(|one| one != b'{') {},
                b';' if inner.is_empty() => self.statement(self.at + 1),
                b'{' if !inner.contains(&b'{') => {
                    inner.clear();
                    self.open();
                }
                b'}' => {
                    inner.clear();
                    self.close();
                }
                b'\n' if inner.len() > MAX_DEPTH => inner.clear(),
                byte if byte.is_ascii_whitespace() => {}
                _ => self.begin(),
            }
            self.at += 1;
        }
        self.at = bytes.len();
        self.statement(bytes.len());
        let last = self.page.lines.of(offset(bytes.len().saturating_sub(1)));
        while let Some(block) = self.blocks.pop() {
            self.end(block.declarations, last);
        }
    }

    fn begin(&mut self) {
        self.start.get_or_insert(self.at);
    }

    fn depth(&self) -> u32 {
        offset(self.blocks.len()) + 1
    }

    /// Skips a comment; returns `false` if it is none.
    fn comment(&mut self, is_block: bool) -> bool {
        let from = self.at;
        let rest = self.text(from, self.page.text.len());
        let length = if is_block {
            let end = if self.no_comment_ends { None } else { rest.find("*/") };
            self.no_comment_ends |= end.is_none();
            end.map(|end| end + 2)
        } else {
            // `url(//example.org)` and `https://…` are not comments.
            let is_path = self.text(0, from).ends_with([':', '(']);
            (!is_path).then(|| rest.find('\n').unwrap_or(rest.len()))
        };
        let Some(length) = length else { return false };
        self.at += length;
        let bytes = ByteRange {
            start: offset(from),
            end: offset(from + rest.get(..length).map_or(0, |text| text.trim_end().len())),
        };
        let (first, last) =
            (self.page.lines.of(bytes.start), self.page.lines.of(bytes.end.saturating_sub(1)));
        let line = ByteRange { start: self.page.lines.start(first), end: bytes.start };
        self.page.remark(bytes);
        if self.start.is_none() && line.of(self.page.text).trim().is_empty() {
            self.page.out.atoms.push(Atom { bytes, depth: self.depth(), kind: AtomKind::Comment });
            self.page.comment = match self.page.comment {
                Some((above, below)) if below + 1 == first => Some((above, last)),
                _ => Some((first, last)),
            };
        }
        true
    }

    /// Skips a string; one that is not closed ends with its line.
    fn string(&mut self, quote: u8) {
        let bytes = self.page.text.as_bytes();
        self.at += 1;
        while let Some(&byte) = bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'\n' => return,
                byte if byte == quote => return,
                _ => {}
            }
        }
    }

    /// Adds the text from the beginning of the statement to `end` as an atom; returns it.
    fn take(&mut self, end: usize, kind: AtomKind) -> Option<&'t str> {
        let start = self.start.take()?;
        let text = self.text(start, end);
        let bytes = ByteRange { start: offset(start), end: offset(start + text.trim_end().len()) };
        if !bytes.is_empty() {
            self.page.out.atoms.push(Atom { bytes, depth: self.depth(), kind });
        }
        Some(text)
    }

    fn owner(&self) -> Option<u32> {
        self.blocks.last().and_then(|block| block.owner)
    }

    fn is_local(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.is_local)
    }

    fn push(&mut self, declarations: Range<u32>, is_local: bool) {
        // A record takes the last declaration above for the one around.
        let owner = declarations.clone().next_back().or(self.owner());
        let is_local = is_local || self.is_local();
        self.blocks.push(Block { declarations, owner, is_local });
    }

    /// Reads a statement that ends before `end`.
    fn statement(&mut self, end: usize) {
        let is_import = self.start.is_some_and(|start| {
            let text = self.text(start, end);
            ["@use", "@forward", "@import", "@plugin"].iter().any(|word| text.starts_with(word))
        });
        let kind = if is_import { AtomKind::Head } else { AtomKind::Other };
        let Some(text) = self.take(end, kind) else { return };
        let within = self.owner();
        if is_import {
            self.imports(text);
            return;
        }
        let (name, value) = text.split_once(':').unwrap_or(("", text));
        let name = name.trim();
        let is_variable = name.starts_with(['$', '@']) || name.starts_with("--");
        let is_local = self.is_local() && !name.starts_with("--");
        if is_variable && !name.contains([' ', '(', '{']) {
            if !is_local {
                self.declare(text, name, K::Variable, text.len());
            }
            self.uses(value, within);
        } else {
            self.calls(text, within);
            let arguments = text.find('(').and_then(|at| text.get(at + 1..)).unwrap_or_default();
            self.uses(if text.starts_with(['.', '#', '&']) { arguments } else { value }, within);
            if name.contains("animation") {
                let words = value.split([' ', ',', ';', '\t', '\n', '\r']);
                words.filter(|word| names_key_frames(name, word)).for_each(|word| {
                    self.page.mention(ReferenceKind::Use, word, "", within);
                });
            }
        }
    }

    /// Declares the statement that `text` begins with; `signature` is the length of its signature.
    fn declare(&mut self, text: &'t str, name: &'t str, kind: K, signature: usize) -> Option<u32> {
        let start = self.page.at(text);
        let signature_text =
            text.get(..signature).unwrap_or(text).trim_end().trim_end_matches([';', '{']).trim_end();
        let end = start + offset(text.trim_end().len());
        let (first_line, last_line) = (self.page.lines.of(start), self.page.lines.of(end.max(start + 1) - 1));
        let one_line = signature_text.lines().next().unwrap_or_default().trim_end();
        let is_value = kind == K::Variable;
        let length = if is_value { one_line.len() } else { signature_text.len() };
        let declared = self.page.declare(LinedDeclaration {
            name,
            kind,
            parent: self.owner(),
            first_line,
            last_line,
            name_line: self.page.lines.of(self.page.at(name)),
            signature_end: start + offset(length),
            body: ByteRange::default(),
            doc: ByteRange::default(),
        })?;
        // Several of them can stand in one line.
        if let Some(one) = self.page.out.declarations.get_mut(declared as usize) {
            let above = one.span.bytes.start.min(start);
            let above = if self.page.lines.of(above) == first_line { start } else { above };
            one.span = self.page.lines.span(ByteRange { start: above, end });
            one.signature = ByteRange { start, end: start + offset(length) };
        }
        Some(declared)
    }

    /// Reads the text before a `{`, and opens the block.
    fn open(&mut self) {
        let Some(text) = self.take(self.at + 1, AtomKind::Other) else {
            self.push(0..0, true);
            return;
        };
        let prelude = text.strip_suffix('{').unwrap_or(text).trim_end();
        let within = self.owner();
        let is_deep = self.blocks.len() >= MAX_DEPTH;
        let found = kind_of(prelude).filter(|_| !is_deep);
        let mut declarations = 0..0;
        match found {
            Some((name, kind)) => {
                let declaration = self.declare(text, name, kind, text.len());
                if let Some(first) = declaration {
                    if kind == K::Rule && !prelude.starts_with('@') {
                        self.declare_others(first, prelude);
                    }
                    declarations = first..offset(self.page.out.declarations.len());
                }
                let at = prelude.find('(').filter(|_| kind != K::Rule);
                self.uses(at.and_then(|at| prelude.get(at..)).unwrap_or_default(), declaration);
            }
            None => {
                self.calls(prelude, within);
                self.uses(prelude, within);
            }
        }
        self.push(declarations, found.is_some());
    }

    fn close(&mut self) {
        self.statement(self.at);
        let bytes = ByteRange { start: offset(self.at), end: offset(self.at + 1) };
        let block = self.blocks.pop();
        self.page.out.atoms.push(Atom { bytes, depth: self.depth() + 1, kind: AtomKind::Other });
        self.end(block.map_or(0..0, |block| block.declarations), self.page.lines.of(bytes.start));
    }

    /// Declares the further selectors of a rule.
    fn declare_others(&mut self, first: u32, prelude: &'t str) {
        for name in selectors(prelude).skip(1).take(MAX_PARTS) {
            let Some(first) = self.page.out.declarations.get(first as usize).cloned() else { return };
            let name_line = self.page.lines.of(self.page.at(name)) + 1;
            if name.len() <= MAX_NAME {
                self.page.out.declarations.push(Declaration { name: name.to_owned(), name_line, ..first });
            }
        }
    }

    /// Ends declarations with the brace in this line, or with the last line.
    fn end(&mut self, declarations: Range<u32>, line: u32) {
        let end = offset(self.at + 1).min(self.page.lines.end(line));
        let all = declarations.start as usize..declarations.end as usize;
        for one in self.page.out.declarations.get_mut(all).into_iter().flatten() {
            let end = end.max(one.span.bytes.end);
            // From the brace behind the signature.
            one.body = ByteRange { start: one.span.bytes.end.saturating_sub(1).max(one.signature.end), end };
            one.span = self.page.lines.span(ByteRange { end, ..one.span.bytes });
        }
    }

    /// Adds the files that `@use`, `@forward`, `@import` and `@plugin` name.
    fn imports(&mut self, text: &'t str) {
        let mut rest = text;
        while let Some(at) = rest.find(['"', '\'']) {
            let quote = rest.get(at..=at).unwrap_or_default();
            let inner = rest.get(at + 1..).unwrap_or_default();
            let Some(end) = inner.find(quote) else { return };
            let path = inner.get(..end).unwrap_or_default();
            let name = path.rsplit(['/', ':']).next().unwrap_or(path);
            let name = name.strip_prefix('_').unwrap_or(name);
            if !name.is_empty() && !path.starts_with("http") {
                self.page.mention(ReferenceKind::Import, name, path, None);
            }
            rest = inner.get(end + 1..).unwrap_or_default();
            // The strings behind it are values of its variables.
            if rest.trim_start().starts_with("with") {
                return;
            }
        }
    }

    /// Adds the mixin that a statement includes, or the selector that it extends.
    fn calls(&mut self, text: &'t str, within: Option<u32>) {
        let name_of = |text: &'t str| {
            let text = text.trim_start();
            let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '%' | '#')));
            text.get(..end.unwrap_or(text.len())).unwrap_or_default()
        };
        if let Some(rest) = text.strip_prefix("@include") {
            let name = name_of(rest);
            let (module, name) = name.rsplit_once('.').unwrap_or(("", name));
            self.page.mention(ReferenceKind::Call, name, module, within);
        } else if let Some(rest) = text.strip_prefix("@extend") {
            self.page.mention(ReferenceKind::Use, name_of(rest), "", within);
        } else if text.starts_with(['.', '#']) && !text.contains('{') {
            // Less: `.mixin();`, `#library > .mixin();`
            let end = text.find(['(', ';', '!']).unwrap_or(text.len());
            let last = text.get(..end).unwrap_or_default().rsplit(['>', ' ']).find(|one| !one.is_empty());
            let name = last.unwrap_or_default().trim();
            if name.len() > 1 && name.starts_with(['.', '#']) && !name.contains(':') {
                self.page.mention(ReferenceKind::Call, name, "", within);
            }
        }
    }

    /// Adds the variables and functions in a value.
    fn uses(&mut self, value: &'t str, within: Option<u32>) {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let mut rest = value;
        while let Some(at) = rest.find(['$', '@', '(']) {
            let before = rest.get(..at).unwrap_or_default();
            let behind = rest.get(at + 1..).unwrap_or_default();
            if rest.get(at..).is_some_and(|here| here.starts_with('(')) {
                let start = before.rfind(|c: char| !is_word(c) && c != '.').map_or(0, |at| at + 1);
                let called =
                    before.get(start..).filter(|one| before.is_char_boundary(start) && !one.is_empty());
                let (module, name) = called.map_or(("", ""), |one| one.rsplit_once('.').unwrap_or(("", one)));
                let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
                if name == "var" {
                    let property = behind.trim_start();
                    let end = property.find(|c: char| !is_word(c)).unwrap_or(property.len());
                    let property = property.get(..end).filter(|one| one.starts_with("--"));
                    self.page.mention(ReferenceKind::Use, property.unwrap_or_default(), "", within);
                }
                if is_name && !FUNCTIONS.contains(&name) {
                    self.page.mention(ReferenceKind::Call, name, module, within);
                }
                rest = behind;
                continue;
            }
            let end = behind.find(|c: char| !is_word(c)).unwrap_or(behind.len());
            // Less writes `@{name}` inside of other words.
            let Some(name) = rest.get(at..at + 1 + end).filter(|name| name.len() > 1) else {
                rest = behind;
                continue;
            };
            let module = before.strip_suffix('.').map_or("", |before| {
                let start = before.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
                before.get(start..).unwrap_or_default()
            });
            let is_rule =
                CONTROL.contains(&name) || matches!(name, "@media" | "@supports" | "@rest" | "@arguments");
            if !is_rule {
                self.page.mention(ReferenceKind::Use, name, module, within);
            }
            rest = behind.get(end..).unwrap_or_default();
        }
    }
}

/// Returns the name and the kind of what a block declares, by the text before it.
fn kind_of(prelude: &str) -> Option<(&str, K)> {
    let name_end = |text: &str| text.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(text.len());
    let word = |rest: &'_ str| name_end(rest.trim_start());
    for (at_rule, kind) in [("@mixin", K::Macro), ("@function", K::Function)] {
        if let Some(rest) = prelude.strip_prefix(at_rule) {
            let rest = rest.trim_start();
            return rest.get(..word(rest)).filter(|name| !name.is_empty()).map(|name| (name, kind));
        }
    }
    if let Some(name) = prelude.strip_suffix(':').filter(|name| name.starts_with('@')) {
        // A detached rule set of Less.
        return Some((name.trim_end(), K::Macro));
    }
    if prelude.starts_with('@') {
        let end = prelude.find(char::is_whitespace).unwrap_or(prelude.len());
        let at_rule = prelude.get(..end)?;
        if CONTROL.contains(&at_rule) || at_rule.contains([':', '(']) {
            return None;
        }
        let query = prelude.get(end..)?.trim();
        let name = if query.is_empty() { prelude } else { query };
        return Some((name.lines().next()?.trim_end(), K::Rule));
    }
    if prelude.starts_with('%') {
        return Some((prelude.get(..name_end(prelude))?, K::Macro));
    }
    if prelude.starts_with(['.', '#'])
        && let Some(at) = prelude.find('(')
        && let Some(name) = prelude.get(..at).map(str::trim_end)
        && !name.contains([' ', ':', ',', '>', '{', '['])
    {
        return Some((name, K::Macro));
    }
    let name = selectors(prelude).next()?;
    // A property whose value is a block (`font: { … }`) is not a rule.
    (!prelude.ends_with(':')).then_some((name, K::Rule))
}

/// Returns the first line of each selector in a list. Commas in brackets and strings don't separate
/// selectors, and comments do not belong to one.
fn selectors(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = selector_end(rest);
            let one = without_comments(rest.get(..end).unwrap_or_default());
            rest = rest.get(end + 1..).unwrap_or_default();
            let line = one.lines().next().unwrap_or_default().trim_end();
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    })
}

/// Returns where the first selector of a list ends: at a comma, or at the end.
fn selector_end(list: &str) -> usize {
    let (mut depth, mut quote) = (0usize, None);
    let mut before = ' ';
    // Whether a comment is open, and whether it goes on to the end of its line.
    let (mut is_comment, mut is_line) = (false, false);
    for (at, c) in list.char_indices() {
        match (quote, c) {
            _ if is_comment => is_comment = if is_line { c != '\n' } else { !(before == '*' && c == '/') },
            (None, '*' | '/') if before == '/' => (is_comment, is_line) = (true, c == '/'),
            (None, ',') if depth == 0 => return at,
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c && before != '\\' => quote = None,
            _ => {}
        }
        before = c;
    }
    list.len()
}

/// Returns a selector without the comments in front of it.
fn without_comments(selector: &str) -> &str {
    let mut rest = selector.trim();
    loop {
        let end = match rest.as_bytes() {
            [b'/', b'*', ..] => rest.find("*/").map(|at| at + 2),
            [b'/', b'/', ..] => rest.find('\n'),
            _ => return rest,
        };
        rest = rest.get(end.unwrap_or(rest.len())..).unwrap_or_default().trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks() {
        for (prelude, expected) in [
            ("@mixin card($a, $b: 2)", Some(("card", K::Macro))),
            ("@function double($n)", Some(("double", K::Function))),
            ("@media (min-width: 40em)", Some(("(min-width: 40em)", K::Rule))),
            ("@font-face", Some(("@font-face", K::Rule))),
            ("@include card", None),
            ("@if $a == 1", None),
            (".a,\n.b", Some((".a", K::Rule))),
            (".rounded(@r: 4px)", Some((".rounded", K::Macro))),
            (".a:not(.b)", Some((".a:not(.b)", K::Rule))),
            ("%notice", Some(("%notice", K::Macro))),
            ("font:", None),
            ("@theme:", Some(("@theme", K::Macro))),
        ] {
            assert_eq!(kind_of(prelude), expected, "{prelude}");
        }
    }
}

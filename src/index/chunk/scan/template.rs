//! Templates of text: tags between `<%` and `%>`, `{%` and `%}`, or behind `@` → blocks, macros,
//! and what the tags refer to.
//!
//! Reads ERB, Jinja (also Twig, Nunjucks and Liquid), Blade, and the templates of Go (Helm, Hugo).
//! The text around the tags can be anything, so no grammar reads it; chunks are cut at its
//! shallowest lines. In a tag, a name directly before `(` is a call. In ERB, the first name of the
//! tag and a name behind a dot are calls, too, because Ruby needs no brackets. In Go,
//! `include "name"` and `template "name"` are calls of a template.

use super::super::atom::AtomKind;
use super::super::lines::{Lines, offset};
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, DeclarationKind as K, Language, ReferenceKind};
use super::template_marks::{Dialect, MAX_TAG};
use super::{LinedDeclaration, Page, Scanner, is_name};
use crate::base::text::head;
use std::borrow::Cow;
use std::collections::HashSet;

/// The scanner of ERB.
pub(in crate::index::chunk) const ERB: Scanner =
    Scanner { scan: |lines| scan(lines, Dialect::Erb), chunks: None, is_exact: true };
/// The scanner of Jinja.
pub(in crate::index::chunk) const JINJA: Scanner =
    Scanner { scan: |lines| scan(lines, Dialect::Jinja), chunks: None, is_exact: true };
/// The scanner of Blade.
pub(in crate::index::chunk) const BLADE: Scanner =
    Scanner { scan: |lines| scan(lines, Dialect::Blade), chunks: None, is_exact: true };
/// The scanner of Go's templates.
pub(in crate::index::chunk) const GO: Scanner =
    Scanner { scan: |lines| scan(lines, Dialect::Go), chunks: None, is_exact: true };

/// Deepest nesting of blocks that are declared.
const MAX_DEPTH: usize = 24;

/// Words of the template languages themselves, and of Ruby, that are not calls.
const WORDS: [&str; 40] = [
    "and", "array", "begin", "block", "case", "cycle", "do", "each", "else", "elsif", "empty", "end",
    "endif", "false", "for", "foreach", "if", "in", "isset", "js", "loop", "nil", "none", "not", "null",
    "or", "range", "self", "super", "t", "then", "true", "unless", "until", "when", "while", "yield", "raw",
    "l", "h",
];

/// Words of Ruby that a condition stands behind.
const CONDITIONS: [&str; 6] = ["elsif", "if", "not", "unless", "until", "while"];

/// Statements that show that a text is a template of Jinja, Django, Twig or Liquid.
const STATEMENTS: [&str; 20] = [
    "autoescape",
    "block",
    "blocktranslate",
    "blocktrans",
    "comment",
    "csrf_token",
    "embed",
    "extends",
    "for",
    "from",
    "if",
    "import",
    "include",
    "load",
    "macro",
    "set",
    "trans",
    "translate",
    "url",
    "with",
];

/// Words of Go's templates in front of the name of a template.
const GO_CALLS: [&str; 4] = ["block", "define", "include", "template"];
/// Words of Hugo in front of the file of a template.
const GO_FILES: [&str; 2] = ["partial", "partialCached"];

/// Returns whether a text is a template of Go: whether a tag in it begins with a word for a
/// template and a string.
pub(in crate::index::chunk) fn is_go_template(text: &str) -> bool {
    text.match_indices("{{").any(|(at, mark)| {
        let tag = text.get(at + mark.len()..).unwrap_or_default();
        let tag = tag.strip_prefix('-').unwrap_or(tag).trim_start_matches([' ', '\t']);
        let words = GO_CALLS.iter().chain(&GO_FILES);
        words
            .filter_map(|word| tag.strip_prefix(word))
            .any(|rest| rest.starts_with([' ', '\t']) && is_string(rest))
    })
}

/// Splits the name of a template of Go: `chart.fullname` belongs to `chart`. That of a file
/// (`head.html`) is one name.
fn go_name(name: &str) -> (&str, &str) {
    name.rsplit_once('.').filter(|_| !is_file(name)).unwrap_or(("", name))
}

/// Returns whether the name of a template is that of a file.
fn is_file(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    name.contains('/') || ending.is_some_and(|ending| Language::by_extension(ending).is_some())
}

/// Returns whether a string is what follows.
fn is_string(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t']).starts_with(['"', '`'])
}

/// Returns whether a text is a template: whether a tag in it begins with a known statement.
pub(in crate::index::chunk) fn is_template(text: &str) -> bool {
    text.match_indices("{%").any(|(at, mark)| {
        let tag = text.get(at + mark.len()..).unwrap_or_default();
        let tag = tag.trim_start_matches(['-', '+']).trim_start_matches([' ', '\t']);
        let end = tag.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(tag.len());
        tag.get(..end).is_some_and(|word| STATEMENTS.contains(&word))
    })
}

fn scan<'t>(lines: &'t Lines<'t>, dialect: Dialect) -> Option<WalkResult<'t>> {
    let mut template = Template {
        page: Page::new(lines),
        dialect,
        at: 0,
        open: Vec::new(),
        blocks: Vec::new(),
        locals: HashSet::new(),
    };
    while template.at < lines.text().len() {
        template.step();
    }
    let last = lines.len().saturating_sub(1);
    while let Some(block) = template.open.pop() {
        template.page.extend(block, last);
    }
    for line in 0..lines.len() {
        let text = template.page.line(line);
        let indent = text.len() - text.trim_start().len();
        template.page.atom(line, line, 1 + offset(indent / 2), AtomKind::Other);
    }
    Some(template.page.finish())
}

struct Template<'t> {
    page: Page<'t>,
    dialect: Dialect,
    at: usize,
    /// The declarations of the open blocks.
    open: Vec<u32>,
    /// For each open block of Go or Ruby, whether it is a declaration: all of them end with `end`.
    blocks: Vec<bool>,
    /// The variables of Ruby that the tags so far declare.
    locals: HashSet<&'t str>,
}

impl<'t> Template<'t> {
    /// Reads the next tag.
    fn step(&mut self) {
        let text = self.page.text;
        let rest = text.get(self.at..).unwrap_or_default();
        let first: &[char] = if self.dialect == Dialect::Erb { &['<'] } else { &['{', '@'] };
        let Some(next) = rest.find(first) else {
            self.at = text.len();
            return;
        };
        let start = self.at + next;
        let here = text.get(start..).unwrap_or_default();
        self.at = start + 1;
        if here.starts_with('@') {
            if self.dialect == Dialect::Blade {
                self.directive(start);
            }
            return;
        }
        let marks = self.dialect.marks().iter().find(|(open, ..)| here.starts_with(open));
        let Some(&(open, close, is_comment)) = marks else { return };
        let inner = here.get(open.len()..).unwrap_or_default();
        let Some(length) = head(inner, MAX_TAG).find(close) else { return };
        let tag = inner.get(..length).unwrap_or_default();
        self.at = start + open.len() + length + close.len();
        if is_comment {
            let bytes = ByteRange { start: offset(start), end: offset(self.at) };
            self.page.remark(bytes);
            let (first, last) = (self.page.lines.of(bytes.start), self.page.lines.of(bytes.end));
            let before = ByteRange { start: self.page.lines.start(first), end: bytes.start };
            let begins_line = before.of(text).trim_end().is_empty();
            self.page.comment = begins_line.then_some((first, last));
            return;
        }
        let is_statement = open == "{%";
        let tag = tag.trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '=' | '~'));
        if self.dialect == Dialect::Go {
            return self.go_tag(tag);
        }
        if is_statement {
            self.statement(tag);
        } else if self.dialect == Dialect::Erb {
            self.erb_block(tag);
        }
        self.calls(tag);
    }

    /// Reads the beginning or the end of a block of Ruby: `content_for :side do`, `def title(x)`.
    fn erb_block(&mut self, tag: &'t str) {
        let (word, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        if word == "end" {
            if self.blocks.pop() == Some(true) {
                self.close(tag);
            }
            return;
        }
        const OPENING: [&str; 9] = ["begin", "case", "def", "for", "if", "unless", "until", "while", "class"];
        let code = tag.trim_end();
        let has_block = code.ends_with(" do") || code.ends_with('|') && code.contains(" do |");
        if !has_block && !OPENING.contains(&word) || code.ends_with(" end") {
            return;
        }
        let rest = rest.trim_start().trim_start_matches([':', '"', '\'']);
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '?' | '!')));
        let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let n_open = self.open.len();
        match word {
            "def" => self.open(name, K::Function, tag),
            "content_for" => self.open(name, K::Section, tag),
            _ => {}
        }
        self.blocks.push(self.open.len() > n_open);
    }

    /// Reads a tag of Go.
    fn go_tag(&mut self, tag: &'t str) {
        let word = tag.split(char::is_whitespace).next().unwrap_or_default();
        let n_open = self.open.len();
        match word {
            "define" | "block" => {
                let kind = if word == "define" { K::Function } else { K::Section };
                let (scope, name) = go_name(quoted(tag).unwrap_or_default());
                self.open(name, kind, tag);
                if self.open.len() > n_open
                    && let Some(one) = self.page.out.declarations.last_mut()
                {
                    scope.clone_into(&mut one.scope);
                }
            }
            "end" if self.blocks.pop() == Some(true) => self.close(tag),
            _ => {}
        }
        if matches!(word, "block" | "define" | "if" | "range" | "with") {
            self.blocks.push(self.open.len() > n_open);
        }
        let within = self.open.last().copied();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        for (at, _) in tag.match_indices(['"', '`']) {
            let (before, string) = tag.split_at_checked(at).unwrap_or_default();
            let before = before.trim_end_matches([' ', '\t']);
            let word = before.get(before.trim_end_matches(is_word).len()..).unwrap_or_default();
            let names_file = GO_FILES.contains(&word);
            if !names_file && !matches!(word, "include" | "template") {
                continue;
            }
            let (scope, name) = go_name(quoted(string).unwrap_or_default());
            if names_file || is_file(name) {
                self.quoted(string);
            } else {
                self.page.mention(ReferenceKind::Call, name, scope, within);
            }
        }
    }

    /// Reads a statement of Jinja.
    fn statement(&mut self, tag: &'t str) {
        let (word, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default();
        match word {
            "block" => self.open(name, K::Section, tag),
            "macro" => self.open(name, K::Function, tag),
            // Blocks of dbt.
            "test" | "materialization" => self.open(name, K::Function, tag),
            "snapshot" => self.open(name, K::Table, tag),
            // A block of text that Liquid keeps under a name.
            "capture" => self.open(name, K::Variable, tag),
            "endblock" | "endcapture" | "endmacro" | "endmaterialization" | "endsnapshot" | "endtest" => {
                self.close(tag);
            }
            "set" | "assign" if is_name(name, &['_']) && !self.is_in_function() => {
                self.declare(name, K::Variable, tag);
            }
            "extends" | "include" | "import" | "from" | "use" | "embed" | "render" => {
                let path = self.quoted(rest);
                if word == "from"
                    && let Some((_, names)) = rest.split_once(" import ")
                {
                    for one in names.split(',') {
                        let mut words = one.split_whitespace();
                        let name = words.next().unwrap_or_default();
                        let alias = words.nth(1).unwrap_or_default();
                        self.page.mention(ReferenceKind::Import, name, path.unwrap_or_default(), None);
                        if let Some(import) = self.page.out.mentions.last_mut().filter(|_| !alias.is_empty())
                        {
                            import.alias = Cow::Borrowed(alias);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Reads a directive of Blade: `@section('name')`.
    fn directive(&mut self, start: usize) {
        let rest = self.page.text.get(start + 1..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        // An address of mail is not a directive.
        let is_word =
            start > 0 && self.page.text.as_bytes().get(start - 1).is_some_and(u8::is_ascii_alphanumeric);
        if word.is_empty() || is_word {
            return;
        }
        self.at = start + 1 + word.len();
        let line_end = behind.find('\n').unwrap_or(behind.len());
        let arguments = behind.get(..line_end).unwrap_or_default().trim_start();
        let arguments = if arguments.starts_with('(') { arguments } else { "" };
        match word {
            "extends" | "include" | "includeIf" | "includeWhen" | "component" | "each" | "livewire" => {
                self.quoted(arguments);
            }
            "section" | "push" | "slot" => {
                let name = quoted(arguments).unwrap_or_default();
                // `@section('title', 'Cart')` has no end.
                if arguments.contains(',') {
                    self.declare(name, K::Section, arguments);
                } else {
                    self.open(name, K::Section, arguments);
                }
            }
            "endsection" | "endpush" | "endslot" | "stop" | "show" => self.close(word),
            _ => self.calls(arguments),
        }
    }

    /// Adds the file that the first string of a text names; returns it.
    fn quoted(&mut self, text: &'t str) -> Option<&'t str> {
        let path = quoted(text)?;
        let name = path.rsplit(['/', ':']).next().unwrap_or(path);
        self.page.mention(ReferenceKind::Import, name, path, None);
        Some(path)
    }

    fn declare(&mut self, name: &'t str, kind: K, tag: &'t str) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        let line = self.page.lines.of(self.page.at(tag));
        let end = self.page.at(tag) + offset(tag.len());
        let last_line = self.page.lines.of(end.max(1) - 1);
        self.page.declare(LinedDeclaration {
            name,
            kind,
            parent: self.open.last().copied(),
            first_line: line,
            last_line,
            name_line: self.page.lines.of(self.page.at(name)),
            signature_end: self.page.lines.end(line),
            body: ByteRange::default(),
            doc: ByteRange::default(),
        })
    }

    fn open(&mut self, name: &'t str, kind: K, tag: &'t str) {
        if self.open.len() < MAX_DEPTH {
            let declared = self.declare(name, kind, tag);
            self.open.extend(declared);
        }
    }

    /// Returns whether a macro is around, in which variables are local.
    fn is_in_function(&self) -> bool {
        let kind = |at: &u32| self.page.out.declarations.get(*at as usize).map(|one| one.kind);
        self.open.iter().any(|at| kind(at) == Some(K::Function))
    }

    fn close(&mut self, tag: &'t str) {
        if let Some(block) = self.open.pop() {
            let line = self.page.lines.of(self.page.at(tag));
            self.page.extend(block, line);
        }
    }

    /// Adds the calls in a tag.
    fn calls(&mut self, tag: &'t str) {
        let within = self.open.last().copied();
        if self.dialect == Dialect::Erb {
            self.first_call(tag, within);
            self.methods(tag, within);
            self.note_locals(tag);
        }
        for (at, _) in tag.match_indices('(') {
            let before = tag.get(..at).unwrap_or_default();
            let name = last_name(before);
            let rest = before.get(..before.len() - name.len()).unwrap_or_default();
            let object = ["->", "::", "."].iter().find_map(|mark| rest.strip_suffix(*mark));
            let object = object.map_or("", last_name);
            let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if is_name && !WORDS.contains(&name) {
                self.page.mention(ReferenceKind::Call, name, object, within);
            }
        }
    }

    /// Adds the method that a tag of ERB begins with, and the partial that it renders.
    fn first_call(&mut self, tag: &'t str, within: Option<u32>) {
        let mut tag = tag;
        while let Some((_, rest)) = tag.split_once(' ').filter(|(word, _)| CONDITIONS.contains(word)) {
            tag = rest.trim_start();
        }
        let tag = tag.trim_start_matches('!');
        let end = tag.find(|c: char| !is_part(c));
        let (name, rest) = tag.split_at_checked(end.unwrap_or(tag.len())).unwrap_or((tag, ""));
        let is_method = name.starts_with(|c: char| c.is_lowercase() || c == '_')
            && (rest.is_empty() || rest.starts_with(' '))
            && (!rest.trim_start().starts_with('=') || rest.trim_start().starts_with("=="))
            && !self.locals.contains(name);
        if name == "render" {
            self.quoted(rest);
        } else if is_method && !WORDS.contains(&name) {
            self.page.mention(ReferenceKind::Call, name, "", within);
        }
    }

    /// Adds the methods that a tag of ERB calls without brackets: `user.name`.
    fn methods(&mut self, tag: &'t str, within: Option<u32>) {
        let mut quote = None;
        let mut before = ' ';
        for (at, c) in tag.char_indices() {
            let last = std::mem::replace(&mut before, c);
            match (quote, c) {
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), _) if open == c && last != '\\' => quote = None,
                (None, '.') if is_part(last) || matches!(last, ')' | ']' | '&') => {
                    let rest = tag.get(at + 1..).unwrap_or_default();
                    let name = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
                    let name = name.unwrap_or_default();
                    let object = last_name(tag.get(..at).unwrap_or_default().trim_end_matches('&'));
                    let is_method = name.starts_with(|c: char| c.is_lowercase() || c == '_')
                        && !rest.get(name.len()..).is_some_and(|behind| behind.starts_with('('));
                    if is_method && !object.starts_with(|c: char| c.is_ascii_digit()) {
                        self.page.mention(ReferenceKind::Call, name, object, within);
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes the variables that a tag of ERB declares: the parameters of a block, and what it
    /// assigns a value to.
    fn note_locals(&mut self, tag: &'t str) {
        let is_other = |c: char| !(c.is_alphanumeric() || c == '_');
        if let Some((_, parameters)) = tag.split_once(" |").filter(|_| tag.ends_with('|')) {
            self.locals.extend(parameters.split(is_other).filter(|name| !name.is_empty()));
        }
        let (name, rest) = tag.split_at_checked(tag.find(is_other).unwrap_or(tag.len())).unwrap_or((tag, ""));
        let rest = rest.trim_start().trim_start_matches("||");
        if rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~") {
            self.locals.insert(name);
        }
    }
}

/// Returns whether a character belongs to the name of a method.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '?' | '!')
}

/// Returns the name that a text ends with; empty if there is none.
fn last_name(text: &str) -> &str {
    text.get(text.trim_end_matches(is_part).len()..).unwrap_or_default()
}

/// Returns the content of the first string in a text.
fn quoted(text: &str) -> Option<&str> {
    let at = text.find(['"', '\'', '`'])?;
    let quote = text.get(at..=at)?;
    let inner = text.get(at + 1..)?;
    inner.get(..inner.find(quote)?).filter(|inner| !inner.is_empty() && !inner.contains('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_known_statements() {
        for (text, expected) in [
            ("a {% extends 'b' %}", true),
            ("a {%- if x -%}", true),
            ("{{ a }}", false),
            ("{% nothing %} {% load x %}", true),
            ("{%", false),
            ("{% blocks %}", false),
        ] {
            assert_eq!(is_template(text), expected, "{text}");
        }
    }

    #[test]
    fn templates_of_go_name_templates() {
        for (text, expected) in [
            ("{{- define \"a.b\" -}}", true),
            ("x: {{ include `a` . }}", true),
            ("{{ partial \"head.html\" . }}", true),
            ("{{ user.name }} {{ includes \"a\" }} {{ include a }}", false),
        ] {
            assert_eq!(is_go_template(text), expected, "{text}");
        }
    }

    #[test]
    fn strings() {
        for (text, expected) in
            [("'a/b'", Some("a/b")), ("x, \"c\"", Some("c")), ("'a", None), ("", None), ("''", None)]
        {
            assert_eq!(quoted(text), expected, "{text}");
        }
    }
}

//! The text that Kotlin's parser sees: text → text of the same length.
//!
//! The grammar takes a modifier behind an annotation for a name (`@A data object B`), and even the
//! word `class` behind two of them. It takes some words for keywords that can be names (`get`,
//! `suspend`, `where`), and it does not know the newest syntax: guards, context parameters, backing
//! fields. It misses the end of a member that shares its line with the end of the class
//! (`class A { val b = 1 }`). Such a place would cost the class around it. Here it is put into a
//! form that the grammar reads rightly. Comments stay as they are, and so do strings, but for their
//! dollars. Offsets stay, so names come from the real text. The number of lines stays, too.
//! [`hidden_annotations`] reads the annotations that the parser does not see.

use super::kotlin_lexer::{Lexer, Token};
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::nodes_behind;
use std::borrow::Cow;
use std::ops::Range;
use tree_sitter::Node;

/// Words that are modifiers only in front of a declaration, and what the grammar sees instead
/// behind an annotation: a modifier that is never a name.
const SOFT: [(&str, &[u8]); 9] = [
    ("actual", b"public"),
    ("annotation", b"public    "),
    ("const", b"final"),
    ("data", b"open"),
    ("enum", b"open"),
    ("expect", b"public"),
    ("inner", b"final"),
    ("operator", b"external"),
    ("value", b"final"),
];

/// Modifiers that are never names.
const HARD: [&str; 18] = [
    "abstract",
    "crossinline",
    "external",
    "final",
    "infix",
    "inline",
    "internal",
    "lateinit",
    "noinline",
    "open",
    "override",
    "private",
    "protected",
    "public",
    "sealed",
    "suspend",
    "tailrec",
    "vararg",
];

/// Words that begin a declaration behind its modifiers.
const DECLARING: [&str; 7] = ["class", "fun", "interface", "object", "typealias", "val", "var"];

/// Words that are names, too, and what the grammar sees instead where they are.
const NAMES: [(&str, &[u8]); 3] = [("get", b"ge_"), ("suspend", b"suspen_"), ("where", b"wher_")];

/// Modifiers that the grammar takes for such where they are names.
const MODIFIERS: [&str; 8] = ["external", "final", "infix", "inline", "inner", "open", "override", "sealed"];

/// Words that go on with the line above. The grammar looks at the letters of a line's first word
/// only, and so takes `in1` for `in`.
const CONTINUING: [&str; 8] = ["as", "by", "constructor", "else", "get", "in", "set", "where"];

/// Most tokens of one place that are looked at.
const MAX_TOKENS: usize = 256;

/// Returns the text that the parser sees.
pub(super) fn readable(text: &str) -> Cow<'_, [u8]> {
    let marks = [
        "@",
        "constructor",
        "context",
        " if ",
        "$$",
        "field",
        " get ",
        " get(",
        "suspend {",
        "suspend{",
        "where",
    ];
    let is_readable = !marks.iter().any(|mark| text.contains(mark))
        && !has_last_member(text)
        && !text.lines().any(|line| looks_continuing(line.trim_start()))
        && !has_modifier_as_name(text);
    if is_readable {
        return Cow::Borrowed(text.as_bytes());
    }
    let (mut mask, dollars) = Mask::of(text);
    dollars.into_iter().for_each(|(at, sign)| mask.put(at, &[sign]));
    for at in 0..mask.tokens.len() {
        match mask.word(at) {
            "@" => mask.annotation(at),
            "context" => mask.context(at),
            "if" => mask.guard(at),
            "field" => mask.backing_field(at),
            "constructor" => mask.constructor(at),
            "{" => mask.last_member(at),
            "get" | "suspend" | "where" => mask.name(at),
            word if MODIFIERS.contains(&word) => mask.modifier_as_name(at),
            word if mask.is_first(at) && looks_continuing(word) => mask.first_letter(at),
            _ => {}
        }
    }
    mask.seen
}

/// Adds the annotations behind an annotation that the parser does not see.
pub(super) fn hidden_annotations<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let behind = text.get(node.end_byte()..).unwrap_or_default().trim_start();
    if !behind.starts_with(['@', '/', '(']) {
        return;
    }
    let is_code = |node: &Node<'_>| !matches!(node.kind(), "line_comment" | "block_comment");
    let next = nodes_behind(node).find(is_code);
    let Some(hidden) = next.and_then(|next| text.get(node.end_byte()..next.start_byte())) else { return };
    named_classes(text, node.end_byte()..node.end_byte() + hidden.len(), found);
    let (mask, _) = Mask::of(hidden);
    for at in (0..mask.tokens.len()).filter(|&at| mask.word(at) == "@") {
        let first = if mask.word(at + 2) == ":" { at + 3 } else { at + 1 };
        let in_list = mask.word(first) == "[";
        let end = mask.behind_annotation(at).unwrap_or(first);
        let mut name = if in_list { first + 1 } else { first };
        while name < end && is_name(mask.word(name)) {
            let last = mask.behind_path(name) - 1;
            let place = mask.tokens.get(name).zip(mask.tokens.get(last));
            let Some((start, last)) = place.map(|(first, last)| (first.start, *last)) else { break };
            let qualifier = hidden.get(start..last.start).unwrap_or_default().trim_end_matches('.');
            let start = lines::offset(node.end_byte() + start);
            let mention = Mention::new(start, ReferenceKind::Call, last.text, Cow::Borrowed(qualifier));
            found.push(Mention { name_at: lines::offset(node.end_byte() + last.start), ..mention });
            if !in_list {
                break;
            }
            name = mask.behind_arguments(mask.behind_path(name)).unwrap_or(end);
        }
    }
}

/// Adds the types whose classes are named in a part of a text: `IOException::class`.
pub(super) fn named_classes<'t>(text: &'t str, part: Range<usize>, found: &mut Vec<Mention<'t>>) {
    let start = part.start;
    let Some(part) = text.get(part).filter(|part| part.contains("::class")) else { return };
    let tokens = Lexer::read(part).tokens;
    let word = |at: usize| tokens.get(at).map_or("", |token: &Token<'t>| token.text);
    for at in (0..tokens.len()).filter(|&at| word(at) == "class" && is_name(word(at.wrapping_sub(3)))) {
        if (word(at - 1), word(at - 2)) != (":", ":") {
            continue;
        }
        let last = at - 3;
        let mut first = last;
        while first >= 2 && word(first - 1) == "." && is_name(word(first - 2)) {
            first -= 2;
        }
        let Some((first, last)) = tokens.get(first).zip(tokens.get(last)) else { continue };
        let qualifier = part.get(first.start..last.start).unwrap_or_default().trim_end_matches('.');
        let at = lines::offset(start + first.start);
        let mention = Mention::new(at, ReferenceKind::Type, last.text, Cow::Borrowed(qualifier));
        found.push(Mention { name_at: lines::offset(start + last.start), ..mention });
    }
}

/// The tokens of a text, and what the parser sees of it.
struct Mask<'t> {
    tokens: Vec<Token<'t>>,
    seen: Cow<'t, [u8]>,
}

impl<'t> Mask<'t> {
    /// Reads the tokens of a text. Returns them, and what the parser sees of the dollars of its
    /// strings.
    fn of(text: &'t str) -> (Self, Vec<(usize, u8)>) {
        let Lexer { tokens, dollars, .. } = Lexer::read(text);
        (Mask { tokens, seen: Cow::Borrowed(text.as_bytes()) }, dollars)
    }

    /// Returns the text of a token; empty behind the last one.
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn is_first(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_first)
    }

    /// Returns the token behind the group that a token opens; `None` if nothing closes it.
    fn behind(&self, at: usize) -> Option<usize> {
        self.tokens.get(at)?.close.map(|close| close + 1)
    }

    fn put(&mut self, start: usize, bytes: &[u8]) {
        if let Some(slots) = self.seen.to_mut().get_mut(start..start + bytes.len()) {
            slots.copy_from_slice(bytes);
        }
    }

    /// Blanks the tokens from one to before another. Line feeds stay.
    fn blank(&mut self, from: usize, to: usize) {
        let ends = self.tokens.get(from).zip(to.checked_sub(1).and_then(|last| self.tokens.get(last)));
        let Some((first, last)) = ends else { return };
        let (start, end) = (first.start, last.start + last.text.len());
        lines::blank(self.seen.to_mut().get_mut(start..end).unwrap_or_default());
    }

    /// Blanks each of the tokens from one to before another. The text between them stays.
    fn blank_each(&mut self, from: usize, to: usize) {
        (from..to).for_each(|at| self.blank(at, at + 1));
    }

    /// Returns the token behind an annotation that begins with this `@`.
    fn behind_annotation(&self, at: usize) -> Option<usize> {
        let mut next = at + 1;
        if self.word(next + 1) == ":" {
            next += 2;
        }
        if self.word(next) == "[" {
            return self.behind(next);
        }
        is_name(self.word(next)).then_some(())?;
        next = self.behind_path(next);
        self.behind_arguments(next)
    }

    /// Returns the token behind a name with its qualifiers: `a.b`.
    fn behind_path(&self, at: usize) -> usize {
        let mut next = at + 1;
        while self.word(next) == "." && is_name(self.word(next + 1)) {
            next += 2;
        }
        next
    }

    /// Returns the token behind the arguments at a token, if there are any.
    fn behind_arguments(&self, at: usize) -> Option<usize> {
        if self.word(at) == "(" && !self.is_first(at) { self.behind(at) } else { Some(at) }
    }

    /// Replaces the soft modifiers behind an annotation, and the target `all`. Blanks the
    /// annotations between it and the declaration, and its own arguments, because the grammar could
    /// take them, and what they annotate, for an expression.
    fn annotation(&mut self, at: usize) {
        if self.word(at + 1) == "all"
            && self.word(at + 2) == ":"
            && let Some(target) = self.tokens.get(at + 1)
        {
            self.put(target.start, b"get");
        }
        let Some(second) = self.behind_annotation(at) else { return };
        let mut first = second;
        for _ in 0..MAX_TOKENS {
            if self.word(first) != "@" || self.word(at + 1) == "file" {
                break;
            }
            let Some(next) = self.behind_annotation(first) else { break };
            first = next;
        }
        let soft = |word: &str| SOFT.iter().find(|(one, _)| *one == word);
        let mut end = first;
        while soft(self.word(end)).is_some() || HARD.contains(&self.word(end)) {
            end += 1;
        }
        let is_companion = self.word(end) == "companion" && self.word(end + 1) == "object";
        if !is_companion && !DECLARING.contains(&self.word(end)) {
            return;
        }
        let name = if self.word(at + 2) == ":" { at + 3 } else { at + 1 };
        let arguments = if self.word(name) == "[" { second } else { self.behind_path(name) };
        self.blank_each(arguments, first);
        for at in first..end {
            if let Some((token, (_, instead))) = self.tokens.get(at).zip(soft(self.word(at))) {
                self.put(token.start, instead);
            }
        }
    }

    /// Replaces a word that is a name here: `a get (b)`, `suspend { … }`, `where = a`.
    fn name(&mut self, at: usize) {
        let next = self.word(at + 1);
        let is_value = |word: &str| is_name(word) || word.starts_with(['"', '\'']);
        let is_name = match self.word(at) {
            // A getter has no parameters: `val a: B get() = c`.
            "get" => {
                let has_argument = next == "(" && self.word(at + 2) != ")" || is_value(next);
                !self.is_first(at) && !self.is_first(at + 1) && has_argument
            }
            "suspend" => next == "{",
            // `where T : A` restricts a parameter of a type.
            _ => next != "@" && self.word(at + 2) != ":",
        };
        let instead = NAMES.iter().find(|(word, _)| *word == self.word(at));
        if let Some((token, (_, instead))) = self.tokens.get(at).zip(instead).filter(|_| is_name) {
            self.put(token.start, instead);
        }
    }

    /// Changes a modifier that is a name: `open = true`, `if (!inner)`.
    fn modifier_as_name(&mut self, at: usize) {
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        let is_name = is_behind_name(self.word(at + 1)) || matches!(before, "!" | "return" | "val" | "var");
        if let Some(token) = self.tokens.get(at).filter(|_| is_name && before != ".") {
            self.put(token.start + token.text.len() - 1, b"_");
        }
    }

    /// Changes the first letter of a name.
    fn first_letter(&mut self, at: usize) {
        if let Some(token) = self.tokens.get(at) {
            self.put(token.start, b"x");
        }
    }

    /// Blanks the context parameters of a declaration or a function type.
    fn context(&mut self, at: usize) {
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        let Some(next) = self.behind(at + 1).filter(|_| self.word(at + 1) == "(") else { return };
        let word = self.word(next);
        let is_modifier = HARD.contains(&word) || SOFT.iter().any(|(one, _)| *one == word);
        let begins = self.is_first(at) || matches!(before, "{" | ";" | ")");
        let is_declaration = begins && (word == "@" || is_modifier || DECLARING.contains(&word));
        let is_type = matches!(before, ":" | "<" | "(" | "," | "=" | ">") && self.is_function_type(next);
        if is_declaration || is_type {
            self.blank(at, next);
        }
    }

    /// Returns whether a function type begins at a token: `(A) -> B`, `A.() -> B`,
    /// `suspend () -> B`.
    fn is_function_type(&self, at: usize) -> bool {
        let mut next = if self.word(at) == "suspend" { at + 1 } else { at };
        while is_name(self.word(next)) && self.word(next + 1) == "." {
            next += 2;
        }
        self.word(next) == "(" && self.behind(next).is_some_and(|behind| self.is_arrow(behind))
    }

    fn is_arrow(&self, at: usize) -> bool {
        self.word(at) == "-" && self.word(at + 1) == ">"
    }

    /// Makes the guard of a branch another condition of it: `is A if b ->`.
    fn guard(&mut self, at: usize) {
        let Some(before) = at.checked_sub(1).filter(|_| !self.is_first(at)) else { return };
        let word = self.word(before);
        let is_value = is_name(word) && !matches!(word, "return" | "throw" | "in" | "do")
            || word.ends_with([')', ']', '>', '"', '\'']);
        if !is_value || word == ">" && before > 0 && self.is_arrow(before - 1) {
            return;
        }
        let mut next = at + 1;
        for _ in 0..MAX_TOKENS {
            if self.is_arrow(next) {
                let Some(start) = self.tokens.get(at).map(|token| token.start) else { return };
                if word == "else" {
                    self.blank(before, at + 1);
                } else {
                    self.put(start, b", ");
                }
                return;
            }
            let is_continued = |at: usize| matches!(self.word(at), "&" | "|");
            let ends = self.is_first(next) && !is_continued(next) && !is_continued(next - 1);
            if ends || matches!(self.word(next), "" | ")" | "]" | "}" | "{" | "else") {
                return;
            }
            next = self.behind(next).unwrap_or(next + 1);
        }
    }

    /// Makes a backing field the value of its property: `field = a` below `val b: C`.
    fn backing_field(&mut self, at: usize) {
        if !self.is_first(at) || !matches!(self.word(at + 1), "=" | ":") {
            return;
        }
        let line = (0..at).rev().take(MAX_TOKENS).find(|&at| self.is_first(at));
        let mut above = line.unwrap_or(at)..at;
        let is_open = |at| matches!(self.word(at), "=" | "by" | "{" | "}");
        if !above.clone().any(|at| matches!(self.word(at), "val" | "var")) || above.any(is_open) {
            return;
        }
        let sign =
            (at..at + MAX_TOKENS).find(|&next| self.word(next) == "=" || next > at && self.is_first(next));
        if let Some(sign) = sign.filter(|&sign| self.word(sign) == "=") {
            self.blank(at, sign);
        }
    }

    /// Joins a primary constructor to the name of its class: without its visibility, and on the
    /// same line. Otherwise the grammar takes it for a second constructor of the class around.
    fn constructor(&mut self, at: usize) {
        let is_visibility = |word| matches!(word, "internal" | "private" | "protected" | "public");
        let visibility = at.checked_sub(1).filter(|&before| is_visibility(self.word(before)));
        let until = visibility.unwrap_or(at);
        // Over the annotations, to the name of the class.
        let before = (1..until).rev().take(MAX_TOKENS);
        let mut before = before.take_while(|&one| !matches!(self.word(one), "{" | "}" | ";"));
        let Some(name) = before.find(|&one| self.word(one - 1) == "class") else { return };
        let end = match self.word(name + 1) {
            "<" => (name..until).find(|&at| self.word(at) == ">").unwrap_or(name),
            _ => name,
        };
        if end + 1 == until || self.word(end + 1) == "@" {
            if let Some(visibility) = visibility {
                self.blank(visibility, at);
            }
            self.join_lines(end, at);
        }
    }

    /// Moves the line feeds between two tokens behind the second one, into the group that it has.
    fn join_lines(&mut self, from: usize, to: usize) {
        let ends = self.tokens.get(from).zip(self.tokens.get(to));
        let Some((start, end)) = ends.map(|(from, to)| (from.start + from.text.len(), to.start)) else {
            return;
        };
        let between = self.seen.get(start..end).unwrap_or_default();
        if between.contains(&b'/') {
            return;
        }
        let feeds: Vec<usize> = (start..end).filter(|&at| self.seen.get(at) == Some(&b'\n')).collect();
        let Some(behind) = self.behind(to + 1).filter(|_| self.word(to + 1) == "(") else { return };
        let is_space = |at: &usize| self.seen.get(*at) == Some(&b' ');
        let spaces = self.tokens.get(to + 2..behind).unwrap_or_default().iter().take(MAX_TOKENS);
        let spaces = spaces.filter_map(|token| token.start.checked_sub(1)).filter(is_space);
        let spaces: Vec<usize> = spaces.take(feeds.len()).collect();
        if spaces.len() == feeds.len() {
            for (feed, space) in feeds.into_iter().zip(spaces) {
                self.put(feed, b" ");
                self.put(space, b"\n");
            }
        }
    }

    /// Ends the last member of a class whose body ends on the same line: `class A { val b = 1 }`.
    fn last_member(&mut self, at: usize) {
        let close = self.tokens.get(at).and_then(|token| token.close).filter(|&close| !self.is_first(close));
        let Some(close) = close.filter(|&close| !matches!(self.word(close - 1), "{" | "}" | ";")) else {
            return;
        };
        let mut next = at + 1;
        while next < close && !matches!(self.word(next), "fun" | "val" | "var") {
            next = self.behind(next).unwrap_or(next + 1);
        }
        let space = self.tokens.get(close).and_then(|token| token.start.checked_sub(1));
        if next < close
            && let Some(space) = space.filter(|&space| self.seen.get(space) == Some(&b' '))
        {
            self.put(space, b";");
        }
    }
}

/// Returns whether a body with members may end on the line of its last one.
fn has_last_member(text: &str) -> bool {
    let declares = |line: &str| ["fun ", "val ", "var "].iter().any(|word| line.contains(word));
    text.lines().any(|line| line.trim_end().ends_with(" }") && declares(line))
}

/// Returns whether a text begins with a name that begins with a word of [`CONTINUING`], and then
/// with a character that is not a letter.
fn looks_continuing(text: &str) -> bool {
    let mut behind = CONTINUING.iter().filter_map(|word| text.strip_prefix(word));
    behind.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '_'))
}

/// Returns whether the text behind a modifier shows that it is a name.
fn is_behind_name(behind: &str) -> bool {
    behind.starts_with(['=', '.', ')', ',', '?', '&', '|', '!', '+', '-'])
}

/// Returns whether a modifier in a text may be a name.
fn has_modifier_as_name(text: &str) -> bool {
    let is_name = |word: &str, at: usize| {
        let (before, behind) = text.split_at_checked(at).unwrap_or_default();
        let behind = behind.get(word.len()..).unwrap_or_default().trim_start_matches(' ');
        is_behind_name(behind) || ["!", "return ", "val ", "var "].iter().any(|one| before.ends_with(one))
    };
    MODIFIERS.iter().any(|word| text.match_indices(word).any(|(at, _)| is_name(word, at)))
}

/// Returns whether a token is a word.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_grammar_reads_wrongly_is_put_in_another_form() {
        for (text, seen) in [
            ("@A data object B", "@A open object B"),
            ("@A(b = 1) @C.D\nexpect fun E()", "@A            \npublic fun E()"),
            ("@A private const val X = 1", "@A private final val X = 1"),
            ("@A data.b()\nval actual = 1", "@A data.b()\nval actual = 1"),
            ("data class A // @A data object B", "data class A // @A data object B"),
            (
                "val a = \"@A data object ${b(\"@A data val c\")}\"",
                "val a = \"@A data object ${b(\"@A data val c\")}\"",
            ),
            ("@all:E val a = 1", "@get:E val a = 1"),
            ("@A @B(1)\nclass C", "@A      \nclass C"),
            (
                "@A(\"b\")\n@get:C.D // e\n@[F G]\nprivate fun h()",
                "@A     \n         // e\n      \nprivate fun h()",
            ),
            ("@A @B annotation class C", "@A    public     class C"),
            ("@file:A @file:B\nval c = 1", "@file:A @file:B\nval c = 1"),
            ("@A @B c { }", "@A @B c { }"),
            ("a = b { 1 } get (c)", "a = b { 1 } ge_ (c)"),
            ("val a: B get() = c\n  private\n get", "val a: B get() = c\n  private\n get"),
            ("a = suspend { b() }", "a = suspen_ { b() }"),
            ("where?.a = where\nfun <T> b() where T : C", "wher_?.a = wher_\nfun <T> b() where T : C"),
            ("context(a: A)\nprivate fun b()", "             \nprivate fun b()"),
            ("fun a(b: context(A) () -> C)", "fun a(b:            () -> C)"),
            ("context(a) { b() }", "context(a) { b() }"),
            ("a = context(b) as C", "a = context(b) as C"),
            ("fun a(b: context(A) C.() -> D)", "fun a(b:            C.() -> D)"),
            ("    is A if b(c) &&\n      !d -> e", "    is A ,  b(c) &&\n      !d -> e"),
            ("    else if a -> b", "            a -> b"),
            ("x = if (a) b else if (c) d else { e -> f }", "x = if (a) b else if (c) d else { e -> f }"),
            ("a -> if (b) c else d\ne -> f", "a -> if (b) c else d\ne -> f"),
            ("val a: B\n  field = C()", "val a: B\n        = C()"),
            ("val a: B\n  field: D<E> = C()", "val a: B\n              = C()"),
            ("set(value) {\n  field = value\n}", "set(value) {\n  field = value\n}"),
            ("a = $$\"b$c$$d\" + $$\"\"\"e\"\"\"", "a =   \"b_c_$d\" +   \"\"\"e\"\"\""),
            ("@A(B::class) class C", "@A           class C"),
            ("class A\n@B internal constructor(c: D)", "class A @B          constructor(c:\nD)"),
            ("class A<B>\nconstructor(val c: D, e: F)", "class A<B> constructor(val\nc: D, e: F)"),
            ("class A\n// b\nconstructor(c: D)", "class A\n// b\nconstructor(c: D)"),
            ("class A { fun b() = 1 }", "class A { fun b() = 1;}"),
            ("class A { object B { val c: D } }", "class A { object B { val c: D;} }"),
            ("class A { fun b() { c() } }", "class A { fun b() { c() } }"),
            ("class A { val b = 1; }", "class A { val b = 1; }"),
            ("enum class A { B, C }", "enum class A { B, C }"),
            ("class A { fun b() = \"}\"\n}", "class A { fun b() = \"}\"\n}"),
            ("class A<B> private constructor(c: D)", "class A<B>         constructor(c: D)"),
            ("class A {\n  private constructor() : this(1)", "class A {\n  private constructor() : this(1)"),
            ("in1.close()\nget_x()\ngetX()", "xn1.close()\nxet_x()\ngetX()"),
            ("a(in1)\n  by_b = 1", "a(in1)\n  xy_b = 1"),
            ("var open = b\nif (open && !inner) c", "var ope_ = b\nif (ope_ && !inne_) c"),
            ("open fun a() = 1\nfile.open()", "open fun a() = 1\nfile.open()"),
        ] {
            assert_eq!(String::from_utf8_lossy(&readable(text)), seen, "{text}");
        }
    }

    #[test]
    fn any_text_keeps_its_length() {
        for text in
            ["@", "$$", "$$\"", "\"${\"", "/* if", "@A(", "x if é ->", "\"\\", "context(", "'\\", "field ="]
        {
            assert_eq!(readable(text).len(), text.len(), "{text}");
        }
    }
}

//! Macros that begin a block: the head of a block → that of a function or a namespace.
//!
//! `SYSCALL_DEFINE3(read, …) {` defines `read`, and `TEST_CASE("it pays") {` a test that a string
//! names. The parser sees a function with a name of letters there, and [`is_test`] tells the table
//! which functions are tests. A suite of tests becomes a namespace, because it contains items. A
//! part of a test (`SECTION("…") {`) becomes a block with a label.

use super::{Brace, Scan, Token, TokenKind, WORDS, is_plain, is_word_byte};
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::table::MentionRule;
use std::borrow::Cow;
use std::ops::Range;
use tree_sitter::Node;

/// The type of a function that a macro defines.
const VOID: &[u8] = b"void";

/// What stands between a type and the name of its member. A comma and a space are as long.
const SCOPE: &[u8] = b"::";

/// The word for a suite of tests.
const NAMESPACE: &[u8] = b"namespace";

/// Words for a part of a test: those of Catch2 and doctest, which other words can precede.
const SECTIONS: &[&str] = &["GIVEN", "SECTION", "SUBCASE", "THEN", "WHEN"];

/// Longest macro in bytes that is compared with the words for tests.
const MAX_WORD: usize = 64;

impl Scan<'_> {
    /// Turns the head of a block (`SYSCALL_DEFINE3(read, …) {`) into that of a function with the
    /// name in it. Returns whether the item is one.
    pub(super) fn name_block(&mut self, tokens: &[Token]) -> bool {
        let Some((head, group)) = self.call_alone(tokens) else { return false };
        if self.braces.iter().any(|brace| matches!(brace, Brace::Members(_)))
            || head.end - head.start < VOID.len()
        {
            return false;
        }
        let written = self.of(head);
        if WORDS.contains(&written) || !(self.is_macro(head) || self.defines(written)) {
            return false;
        }
        if let Some(name) = self.string(group) {
            self.name(head, group, name, VOID);
            return true;
        }
        let parts = self.parts(group).into_iter();
        let names: Vec<_> = parts.filter(|&(start, end)| is_plain(self.between(start, end))).collect();
        // A test is named after its group. Those of Boost are named before it.
        let is_behind = written.contains("TEST") && !written.starts_with("BOOST_") && names.len() > 1;
        let Some(&(start, end)) = names.get(usize::from(is_behind)) else { return false };
        self.blank(head.start, head.end);
        self.put(head.start, VOID);
        let is_gap = |from: usize| {
            from + SCOPE.len() <= start && !self.between(from, from + SCOPE.len()).contains('\n')
        };
        let is_fixture = is_behind && has_fixture(written);
        let fixture = names.first().copied().filter(|&(_, from)| is_fixture && is_gap(from));
        self.blank(group.start + 1, fixture.map_or(start, |(first, _)| first));
        if let Some((_, from)) = fixture {
            self.blank(from, start);
            self.put(from, SCOPE);
        }
        self.blank(end, group.end - 1);
        true
    }

    /// Returns whether the text defines a macro with parameters of this name. The names are looked
    /// for once: a text may have many blocks.
    fn defines(&self, name: &str) -> bool {
        const DEFINE: &str = "define ";
        let names = self.defined.get_or_init(|| {
            let found = self.text.match_indices(DEFINE).filter_map(|(at, _)| {
                let rest = self.text.get(at + DEFINE.len()..)?;
                let len = rest.bytes().take(MAX_WORD).take_while(|byte| is_word_byte(*byte)).count();
                rest.get(..len).filter(|_| rest.as_bytes().get(len) == Some(&b'('))
            });
            found.collect()
        });
        names.contains(name)
    }

    /// Turns the head of a suite of tests (`TEST_SUITE("math") {`) into that of a namespace.
    /// Returns whether the current item is one.
    pub(super) fn name_suite(&mut self) -> bool {
        let Some((head, group)) = self.call_alone(&self.tokens) else { return false };
        let is_suite = self.is_macro(head) && self.of(head).ends_with("TEST_SUITE");
        let Some(name) = self.string(group).filter(|_| is_suite) else { return false };
        self.name(head, group, name, NAMESPACE);
        self.blank(group.start, group.start + 1);
        self.blank(group.end - 1, group.end);
        true
    }

    /// Turns the head of a part of a test (`SECTION("it pays") {`), which is the statement from
    /// `start` to `end`, into the label of a block.
    pub(super) fn name_section(&mut self, start: usize, end: usize) {
        let word = self.between(start, end);
        if !SECTIONS.iter().any(|one| word.ends_with(one)) {
            return;
        }
        let before = self.text.get(..start).unwrap_or_default().trim_end();
        if !before.ends_with([';', '{', '}', ':']) {
            return;
        }
        let open = self.after_space(end);
        let Some(close) = self.after_group(open) else { return };
        let group = Token { kind: TokenKind::Group, start: open, end: close };
        let name = self.string(group).filter(|_| self.byte(self.after_space(close)) == Some(b'{'));
        if let Some(name) = name {
            self.blank(start, close);
            // Without a statement, the grammar takes the block around it for a list of values.
            self.put(start, b";");
            self.put(name.start, &vec![b'x'; name.len()]);
            self.put(close - 1, b":");
        }
    }

    /// Puts a word in place of a macro, and a name of letters in place of a string in its
    /// parentheses. Blanks all else between these.
    fn name(&mut self, head: Token, group: Token, name: Range<usize>, word: &[u8]) {
        self.blank(head.start, head.end);
        self.put(head.start, word);
        self.blank(group.start + 1, group.end - 1);
        self.put(name.start, &vec![b'x'; name.len()]);
    }

    /// Returns the bytes between the quotes of the first or second argument, if that begins with a
    /// string on one line.
    fn string(&self, group: Token) -> Option<Range<usize>> {
        let parts = self.parts(group);
        let (start, _) = parts.into_iter().take(2).find(|&(start, _)| self.byte(start) == Some(b'"'))?;
        let inner = self.between(start + 1, self.after(start).checked_sub(1)?);
        let from = start + 1 + inner.len() - inner.trim_start().len();
        let is_name = !inner.trim().is_empty() && !inner.contains('\n');
        is_name.then(|| from..from + inner.trim().len())
    }
}

/// Returns whether a macro of GoogleTest defines a test in a fixture, a type that its first
/// argument names: `TEST_F(Shop, Pays) {`. The test is a member of a type that inherits the
/// fixture.
fn has_fixture(word: &str) -> bool {
    ["TEST_F", "TEST_P", "TYPED_TEST"].iter().any(|end| word.ends_with(end))
}

/// The fixture of a test, as a type that it mentions.
pub(crate) const FIXTURE: MentionRule = MentionRule { node: "function_definition", read: read_fixture };

fn read_fixture<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    if !has_fixture(word_at(text, node.start_byte())) {
        return;
    }
    let name = node.child_by_field_name("declarator").and_then(|around| around.named_child(0));
    let scope = name.and_then(|name| name.child_by_field_name("scope")).map(range);
    if let Some(scope) = scope {
        let written = Cow::Borrowed("");
        found.push(Mention::new(scope.start, ReferenceKind::Type, scope.of(text), written));
    }
}

/// Returns whether a function is a test: a macro with such a name defines it, or a macro that a
/// string follows.
pub(crate) fn is_test(text: &str, function: Node<'_>, name: Node<'_>) -> bool {
    let Some(ty) = function.child_by_field_name("type").filter(|ty| ty.kind() == "primitive_type") else {
        return false;
    };
    let word = word_at(text, ty.start_byte());
    word.as_bytes() != VOID && word.contains("TEST") || is_suite(text, name)
}

/// Returns whether a string names a function, a namespace or a label, which is then a test, a suite
/// or a part of a test.
pub(crate) fn is_suite(text: &str, name: Node<'_>) -> bool {
    let before = text.get(..range(name).start as usize).unwrap_or_default();
    before.trim_end_matches([' ', '\t']).ends_with('"')
}

/// Returns the word that begins at a place.
fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.bytes().take(MAX_WORD).take_while(|&byte| is_word_byte(byte)).count();
    rest.get(..len).unwrap_or_default()
}

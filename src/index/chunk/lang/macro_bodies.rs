//! The bodies of macros of C and its relatives: `#define twice(x) add(x, x)` → a call of `add`.
//!
//! A grammar leaves a body unparsed, because it need not be an expression or a statement. So its
//! tokens are read: a name directly before `(` is a call, and any other name is a use. Left out are
//! the macro's parameters, what it pastes together (`a##b`), members, and variables of its own.

use super::reserved;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::leaf_prefix::{LeafPrefix, before};
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{MAX_NAME, Mention};
use crate::index::chunk::table::MentionRule;
use crate::index::chunk::types::SOME;
use crate::index::chunk::uses::MIN_NAME;
use std::borrow::Cow;
use std::collections::HashSet;
use tree_sitter::Node;

/// A macro without parameters.
pub(super) const OBJECT: MentionRule = MentionRule { node: "preproc_def", read: in_body };

/// A macro with parameters.
pub(super) const FUNCTION: MentionRule = MentionRule { node: "preproc_function_def", read: in_body };

/// Words that a name may stand behind without being a variable of that type.
const STATEMENTS: &[&str] =
    &["case", "co_return", "delete", "else", "goto", "new", "return", "sizeof", "throw"];

/// Words of C, of its dialects and of the preprocessor that C++ does not reserve.
const WORDS: &[&str] = &["asm", "co_return", "defined", "restrict", "typeof"];

/// A token of a body: a name, or one character of anything else.
#[derive(Debug, Clone, Copy)]
struct Token<'t> {
    at: usize,
    text: &'t str,
}

impl Token<'_> {
    fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    /// Returns whether a word of the language stands here, or of the preprocessor (`__LINE__`).
    fn is_word(&self) -> bool {
        WORDS.contains(&self.text)
            || reserved::CPP.contains(&self.text)
            || self.text.starts_with("__") && self.text.ends_with("__")
    }
}

/// Adds the names that the body of a macro mentions.
fn in_body<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(body) = node.child_by_field_name("value") else { return };
    let written = text.get(body.byte_range()).unwrap_or_default();
    let mut ignored: HashSet<&str> = HashSet::new();
    if let Some(parameters) = node.child_by_field_name("parameters") {
        let mut cursor = parameters.walk();
        let names = parameters.named_children(&mut cursor);
        ignored.extend(names.filter_map(|name| text.get(name.byte_range())));
    }
    let tokens = tokens(written);
    ignored.extend((0..tokens.len()).filter_map(|at| variable(&tokens, at)));
    for (at, token) in tokens.iter().enumerate() {
        let near = |by: isize| at.checked_add_signed(by).and_then(|at| tokens.get(at)).map(|one| one.text);
        let is_pasted = near(-1) == Some("#") || near(1) == Some("#");
        let is_namespace = near(1) == Some(":") && near(2) == Some(":");
        let is_name = (MIN_NAME..=MAX_NAME).contains(&token.text.len()) && token.is_name();
        if !is_name || is_pasted || is_namespace || token.is_word() || ignored.contains(&token.text) {
            continue;
        }
        let prefix = before(written, offset(token.at), &["->", "::", "."]);
        let is_called = near(1) == Some("(");
        let (kind, qualifier) = match prefix {
            LeafPrefix::Nothing if is_called => (ReferenceKind::Call, ""),
            LeafPrefix::Nothing => (ReferenceKind::Use, ""),
            LeafPrefix::Object(path) if written.get(..token.at).is_some_and(|one| one.ends_with("::")) => {
                (if is_called { ReferenceKind::Call } else { ReferenceKind::Use }, path)
            }
            LeafPrefix::Object(path) if is_called && !path.is_empty() && !ignored.contains(&path) => {
                (ReferenceKind::Call, path)
            }
            LeafPrefix::Object(_) if is_called => (ReferenceKind::Call, SOME),
            LeafPrefix::Object(_) => continue,
        };
        let at = offset(body.start_byte() + token.at);
        found.push(Mention::new(at, kind, token.text, Cow::Borrowed(qualifier)));
    }
}

/// Returns the name at a token if the body declares a variable there: `int *x = `, `type_t x;`.
fn variable<'t>(tokens: &[Token<'t>], at: usize) -> Option<&'t str> {
    let name = tokens.get(at).filter(|one| one.is_name() && !one.is_word())?;
    let is_end = tokens.get(at + 1).is_some_and(|next| matches!(next.text, "=" | ";" | "[" | ":"));
    let before = tokens.get(..at).filter(|_| is_end)?;
    let n_stars = before.iter().rev().take_while(|one| matches!(one.text, "*" | "&")).count();
    let before = before.get(..at - n_stars)?;
    let (ty, before) = before.split_last()?;
    let is_first = before.last().is_none_or(|one| matches!(one.text, "{" | "}" | ";" | "(") || one.is_name());
    let is_type = (ty.is_name() || ty.text == ">") && !STATEMENTS.contains(&ty.text);
    (is_type && (n_stars == 0 || is_first)).then_some(name.text)
}

/// Splits a body into tokens, without comments, literals and the ends of its lines.
fn tokens(body: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or_default();
        let len = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if matches!(first, '"' | '\'') {
            literal(rest, first)
        } else if first.is_alphanumeric() || first == '_' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || (first.is_ascii_digit() && c == '.');
            let len = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            // A prefix of a string is a part of it: `L"a"`.
            let is_prefix = len <= 2 && rest.get(len..).is_some_and(|rest| rest.starts_with('"'));
            if !is_prefix {
                found.push(Token { at, text: rest.get(..len).unwrap_or_default() });
            }
            len
        } else {
            let len = first.len_utf8();
            if !first.is_whitespace() && first != '\\' {
                found.push(Token { at, text: rest.get(..len).unwrap_or_default() });
            }
            len
        };
        at += len;
    }
    found
}

/// Returns the length of a string or character at the start of a text.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::index::chunk::{ChunkOptions, Language, Reference, ReferenceKind, chunk};

    #[test]
    fn a_macro_refers_to_what_its_body_calls_and_reads() {
        let text = "
#define wrap(x) impl_fn((x), LIMX)
#define CAT(a, b) a##b##_end left##a
#define STR(name) #name \"quoted(1)\" L\"wide\" 'c' /* noted(2) */
#define ITER(list, fn) do { \\
    struct item *one = first(list); /* comment */ \\
    size_t n; \\
    for (n = 0; one->next; one = one->next) fn(one), one->go(n), cfg::most; \\
    return last_of; \\
  } while (0)
#define OTHER impl_fn
";
        for language in ["c", "cpp"] {
            let file = chunk(Language::from_name(language).unwrap(), text, &ChunkOptions::default());
            let of = |kind: ReferenceKind| {
                let all = file.references.iter().filter(|one| one.kind == kind);
                let name = |one: &Reference| match one.qualifier.as_str() {
                    "" => one.name.clone(),
                    qualifier => format!("{qualifier} {}", one.name),
                };
                let mut names: Vec<String> = all.map(name).collect();
                names.dedup();
                names
            };
            assert_eq!(of(ReferenceKind::Call), ["first", "() go", "impl_fn"], "{language}");
            let uses = ["LIMX", "item", "last_of", "cfg most", "size_t"];
            assert_eq!(of(ReferenceKind::Use), uses, "{language}");
        }
    }
}

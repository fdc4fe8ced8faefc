//! The parts of a declaration that can change by themselves: a text and ranges → a signature and
//! hashes.
//!
//! Owns [`DeclarationParts`]. Lines are compared without surrounding blanks. In languages where
//! indentation has meaning, a line's depth counts: the number of less indented lines that it is
//! under. A nested declaration does not belong to the one around it.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::history::HistoryChange;
use super::signature::{comparable, is_block_word, on_one_line, single_blanks};
use crate::base::text::words;
use crate::index::chunk::{ByteRange, DeclarationKind, Language};

/// What a declaration consists of, without anything that is only layout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct DeclarationParts {
    /// The signature on one line.
    pub(super) signature: String,
    body: u64,
    doc: u64,
    /// Decorators, attributes, annotations.
    rest: u64,
}

impl DeclarationParts {
    /// Reads the parts of a declaration. The ranges are its signature, its body and its doc
    /// comment; `inside` are the declarations in it, in order.
    pub(super) fn of(
        text: &str,
        whole: ByteRange,
        [signature, body, doc]: [ByteRange; 3],
        inside: &[ByteRange],
        language: &str,
    ) -> Self {
        let has_layout = Language::from_name(language).is_some_and(Language::has_layout);
        // Annotations are in front. What follows a body goes on with it: more arms of a macro do.
        let end = if body.is_empty() { whole.end } else { body.end.max(signature.end).min(whole.end) };
        let before = ByteRange { end, ..whole };
        let tail = ByteRange { start: end, ..whole };
        let behind = rest(text, outside(tail, inside, &[signature, body, doc]), language);
        let mut own = on_one_line(language, signature.of(text));
        let lead = ByteRange { start: whole.start, end: signature.start.max(whole.start) };
        if language == "python" && is_property(lead.of(text)) {
            own.insert_str(0, "@property ");
        }
        Self {
            signature: own,
            body: hash(text, outside(bare(text, body), inside, &[doc]), has_layout).0.wrapping_add(behind),
            doc: hash(text, [doc], false).0,
            rest: rest(text, outside(before, inside, &[signature, body, doc]), language),
        }
    }

    /// Adds something that says the value of it, beside its text.
    pub(super) fn add_to_body(&mut self, value: u64) {
        self.body = self.body.wrapping_mul(31).wrapping_add(value);
    }

    /// Leaves the other names of its statement out of the signature.
    pub(super) fn take_own_signature(&mut self, names: &[String], name: &str) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.signature = own_signature(&self.signature, &names, name);
    }

    /// Returns a hash of all parts.
    pub(super) fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.signature, self.body, self.doc, self.rest).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns which parts differ from an older version. Both have a name and a kind. The names are
    /// left out of the signatures, and so is the layout in this language.
    pub(super) fn differences(
        &self,
        old: &Self,
        [(name, kind), (old_name, old_kind)]: [(&str, DeclarationKind); 2],
        language: &str,
    ) -> Vec<HistoryChange> {
        let mut changes = Vec::new();
        let mut add = |differs: bool, change: HistoryChange| {
            if differs {
                changes.push(change);
            }
        };
        let signature = comparable(language, kind, &self.signature, name);
        let old_signature = comparable(language, old_kind, &old.signature, old_name);
        add(signature.declared != old_signature.declared, HistoryChange::Signature);
        add(self.body != old.body || signature.value != old_signature.value, HistoryChange::Body);
        add(self.doc != old.doc, HistoryChange::Documentation);
        add(self.rest != old.rest, HistoryChange::Annotations);
        changes
    }
}

/// Returns whether decorators of Python make a property: nobody calls it then.
fn is_property(decorators: &str) -> bool {
    decorators.lines().any(|line| {
        let name = line.trim().strip_prefix('@').unwrap_or_default();
        matches!(name.rsplit('.').next().unwrap_or_default().trim(), "property" | "cached_property")
    })
}

/// A body without the braces around it, which are layout.
pub(super) fn bare(text: &str, body: ByteRange) -> ByteRange {
    match body.of(text).as_bytes() {
        [b'{', .., b'}'] => ByteRange { start: body.start + 1, end: body.end - 1 },
        _ => body,
    }
}

/// Whether a character only ends a statement.
pub(super) fn is_statement_end(c: char) -> bool {
    c.is_whitespace() || c == ';'
}

/// Whether a line only separates what is on other lines, such as the members of a type.
pub(super) fn is_separator(line: &str) -> bool {
    line.chars().all(|c| is_statement_end(c) || c == ',')
}

/// The hash of what is neither signature nor body nor documentation. The end of a statement is
/// layout.
fn rest(text: &str, parts: Vec<ByteRange>, language: &str) -> u64 {
    let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let trimmed = parts.into_iter().flat_map(|part| {
        let mut at = part.start;
        part.of(text).split_inclusive('\n').map(move |line| {
            let from = at + offset(line.len() - line.trim_start_matches(is_statement_end).len());
            at += offset(line.len());
            ByteRange { start: from, end: from + offset(line.trim_matches(is_statement_end).len()) }
        })
    });
    let told = trimmed.filter(|line| !is_block_word(language, line.of(text).trim()));
    hash(text, told, false).0
}

/// The signature of one of several names that a statement declares, without the others: `a` has
/// `let { a } = f()` in `let { a, b } = f()`, and `a = 1` in `a, b = 1, 2`.
///
/// `names` are all names of the statement, in order.
pub(super) fn own_signature(signature: &str, names: &[&str], name: &str) -> String {
    if names.len() < 2 {
        return signature.to_owned();
    }
    own_part(signature, names, name).unwrap_or_else(|| signature.to_owned())
}

/// See [`own_signature`]; `None` if a name is missing.
fn own_part(signature: &str, names: &[&str], name: &str) -> Option<String> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut end = 0;
    for one in names {
        let at = end + words(signature.get(end..)?, one).next()?;
        end = at + one.len();
        places.push((at, end));
    }
    let own = names.iter().position(|one| *one == name)?;
    let (start, _) = *places.first()?;
    let before = signature.get(..start)?;
    let bracket = before
        .rfind(['{', '[', '('])
        .filter(|at| !before.get(*at..).unwrap_or("}").contains(['}', ']', ')']));
    let own_start = bracket.map_or(start, |at| at + 1);
    let prefix = signature.get(..own_start)?;
    // The commas between the names, each with whether a value is before it.
    let mut commas: Vec<(usize, bool)> = Vec::new();
    for pair in places.windows(2) {
        let [(_, end), (next, _)] = pair else { return None };
        let between = signature.get(*end..*next)?;
        let has_value = between.contains('=');
        let comma = if has_value { between.rfind(',')? } else { between.find(',')? };
        commas.push((end + comma, has_value));
    }
    let from =
        own.checked_sub(1).and_then(|before| commas.get(before)).map_or(own_start, |comma| comma.0 + 1);
    let part = match commas.get(own) {
        Some(comma) => signature.get(from..comma.0)?,
        None => signature.get(from..end)?,
    };
    let is_last = commas.get(own).is_none();
    let tail = signature.get(end..)?;
    if bracket.is_none() && commas.iter().any(|comma| comma.1) {
        // Each name has a value of its own: `int a = 1, b = 2`.
        let tail = if is_last { tail } else { "" };
        return Some(single_blanks(&format!("{prefix} {part}{tail}")));
    }
    let (kind, value) = tail.split_at_checked(tail.find('=').unwrap_or(tail.len()))?;
    let values = value.strip_prefix('=').map(|value| value.trim_start_matches('=')).unwrap_or_default();
    let all: Vec<&str> = top_level_parts(values);
    let value = match all.get(own) {
        Some(value) if bracket.is_none() && all.len() == names.len() => format!("= {}", value.trim()),
        _ => value.to_owned(),
    };
    Some(single_blanks(&format!("{prefix} {part}{kind}{value}")))
}

/// The parts of a list between commas that are in no brackets and no strings.
fn top_level_parts(text: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    text.split(|c: char| {
        let is_escaped = escaped;
        escaped = c == '\\' && !is_escaped;
        match (quote, c) {
            (Some(open), _) if c == open && !is_escaped => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => return c == ',' && depth == 0,
        }
        false
    })
    .collect()
}

/// The parts of a range that lie outside of the declarations in it and of other ranges.
pub(super) fn outside(all: ByteRange, inside: &[ByteRange], others: &[ByteRange]) -> Vec<ByteRange> {
    let mut others = [inside, others].concat();
    others.retain(|one| !one.is_empty());
    others.sort_unstable();
    pieces(all, &others)
}

/// The parts of a range that lie outside of the ranges in it.
pub(super) fn pieces(all: ByteRange, inside: &[ByteRange]) -> Vec<ByteRange> {
    let mut from = all.start;
    let mut pieces = Vec::new();
    for one in inside {
        pieces.push(ByteRange { start: from, end: one.start.max(from) });
        from = from.max(one.end);
    }
    pieces.push(ByteRange { start: from, end: all.end.max(from) });
    pieces
}

/// A hash of the non-blank lines, without surrounding blanks but, with layout, with their depth;
/// and the number of bytes hashed.
pub(super) fn hash(text: &str, parts: impl IntoIterator<Item = ByteRange>, has_layout: bool) -> (u64, usize) {
    let mut hasher = DefaultHasher::new();
    let mut len = 0;
    let mut depth = Depth::default();
    for part in parts {
        let mut from = part.start as usize;
        for whole in part.of(text).split_inclusive('\n') {
            let (at, line) = (from, whole.trim());
            from += whole.len();
            if is_separator(line) {
                continue;
            }
            if has_layout {
                depth.of(column(text, at + whole.len() - whole.trim_start().len())).hash(&mut hasher);
            }
            line.hash(&mut hasher);
            len += line.len();
        }
    }
    (hasher.finish(), len)
}

/// Columns between tab stops, as in Python and Haskell.
const TAB: usize = 8;

/// The column of a place in a text, from 0.
fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().fold(0, |column, c| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

/// The columns of the lines that a line is under, each deeper than the one before.
#[derive(Debug, Default)]
struct Depth(Vec<usize>);

impl Depth {
    /// The number of lines that a line at this column is under.
    fn of(&mut self, column: usize) -> usize {
        while self.0.pop_if(|last| *last >= column).is_some() {}
        self.0.push(column);
        self.0.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_of_a_statement_has_its_own_signature() {
        for (signature, names, expected) in [
            (
                "export const { alpha, beta } = make()",
                vec!["alpha", "beta"],
                vec!["export const { alpha } = make()", "export const { beta } = make()"],
            ),
            (
                "const { a: alpha, b: beta = 2, c } = f(1, 2)",
                vec!["alpha", "beta", "c"],
                vec![
                    "const { a: alpha } = f(1, 2)",
                    "const { b: beta = 2 } = f(1, 2)",
                    "const { c } = f(1, 2)",
                ],
            ),
            ("red, green = 1, 2", vec!["red", "green"], vec!["red = 1", "green = 2"]),
            ("red, green = f(1, 2)", vec!["red", "green"], vec!["red = f(1, 2)", "green = f(1, 2)"]),
            ("red, green = \"a,b\", [1, 2]", vec!["red", "green"], vec!["red = \"a,b\"", "green = [1, 2]"]),
            ("local R, S = require(a)", vec!["R", "S"], vec!["local R = require(a)", "local S = require(a)"]),
            ("int a = f(1, 2), b = 2", vec!["a", "b"], vec!["int a = f(1, 2)", "int b = 2"]),
            ("var a, b int", vec!["a", "b"], vec!["var a int", "var b int"]),
            ("x, y := f()", vec!["x", "y"], vec!["x := f()", "y := f()"]),
            ("let a = 1", vec!["a"], vec!["let a = 1"]),
        ] {
            let found: Vec<String> =
                names.iter().map(|name| own_signature(signature, &names, name)).collect();
            assert_eq!(found, expected, "{signature}");
        }
    }
}

//! Routines that SQL calls where its grammar reads nothing: the text and its walk → more mentions.
//!
//! `CALL pay(1)`, `EXEC dbo.pay 1` of Transact-SQL, and `PERFORM pay(1)` in the body of a routine,
//! which is a string to the grammar. A word counts only where a statement can begin.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{MAX_NAME, Mention};
use crate::index::chunk::walk_result::WalkResult;
use std::borrow::Cow;
use std::collections::HashSet;

/// Words in front of a routine's name, and whether parentheses must follow that.
const WORDS: [(&str, bool); 4] = [("CALL", false), ("EXEC", false), ("EXECUTE", false), ("PERFORM", true)];

/// Words that may follow one of those in another statement: `EXECUTE FUNCTION audit()` of a
/// trigger, `EXECUTE IMMEDIATE text`, `GRANT EXECUTE ON pay`.
const OTHERS: [&str; 9] =
    ["AS", "BLOCK", "DYNAMIC", "FUNCTION", "IMMEDIATE", "ON", "PROCEDURE", "STATEMENT", "TO"];

/// Most calls of a text.
const MAX_CALLS: usize = 2000;

/// Adds the calls to a walk.
pub(in crate::index::chunk) fn add<'t>(text: &'t str, walked: &mut WalkResult<'t>) {
    let mut found: Vec<Mention<'t>> = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("--").next().unwrap_or_default();
        for (word, needs_parentheses) in WORDS {
            for at in words(code, word) {
                let before = code.get(..at).unwrap_or_default();
                let behind = code.get(at + word.len()..).unwrap_or_default();
                if begins_statement(before)
                    && let Some((path, from)) = routine(behind, needs_parentheses)
                {
                    found.push(call(path, offset(line_start + at + word.len() + from)));
                }
            }
        }
        line_start += line.len();
        if found.len() > MAX_CALLS {
            break;
        }
    }
    let known: HashSet<u32> = walked.mentions.iter().map(|one| one.name_at).collect();
    let is_commented = |at: u32| walked.comments.iter().any(|comment| comment.contains(at));
    found.retain(|one| !known.contains(&one.name_at) && !is_commented(one.name_at));
    for one in &mut found {
        let around = walked.declarations.iter().rposition(|of| of.span.bytes.contains(one.at));
        one.within = around.map(offset);
    }
    walked.mentions.append(&mut found);
}

/// Returns where a word stands in a line, in any case.
fn words<'l>(line: &'l str, word: &'static str) -> impl Iterator<Item = usize> + 'l {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let bytes = line.as_bytes();
    bytes.windows(word.len()).enumerate().filter_map(move |(at, one)| {
        let is_whole = !is_word(at.checked_sub(1).and_then(|before| bytes.get(before)))
            && !is_word(bytes.get(at + word.len()));
        (is_whole && one.eq_ignore_ascii_case(word.as_bytes())).then_some(at)
    })
}

/// Returns whether a statement may begin behind a text of its line.
fn begins_statement(before: &str) -> bool {
    let before = before.trim_end();
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    before.is_empty()
        || before.ends_with([';', '$'])
        || ["BEGIN", "DO", "ELSE", "LOOP", "THEN"].iter().any(|word| last.eq_ignore_ascii_case(word))
}

/// Returns the name of the routine that follows, and where it begins. A result of Transact-SQL may
/// stand in front of it: `EXEC @n = pay 1`.
fn routine(behind: &str, needs_parentheses: bool) -> Option<(&str, usize)> {
    let mut from = behind.len() - behind.trim_start().len();
    let mut rest = behind.get(from..).filter(|_| from > 0)?;
    if rest.starts_with('@') {
        let (_, right) = rest.split_once('=')?;
        let right = right.trim_start();
        from = behind.len() - right.len();
        rest = right;
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '[' | ']' | '`' | '$');
    let path = rest.split(|c| !is_part(c)).next()?.trim_end_matches('.');
    let is_name = path.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"' | '[' | '`'));
    let is_other = OTHERS.iter().any(|word| path.eq_ignore_ascii_case(word));
    let has_parentheses = rest.get(path.len()..)?.trim_start().starts_with('(');
    let is_routine =
        is_name && !is_other && path.len() <= MAX_NAME && (has_parentheses || !needs_parentheses);
    is_routine.then_some((path, from))
}

/// Returns the call of a routine whose path begins at a byte.
fn call(path: &str, at: u32) -> Mention<'_> {
    let is_quote = |c: char| matches!(c, '"' | '[' | ']' | '`');
    let start = path.rfind('.').map_or(0, |dot| dot + 1);
    let (before, written) = path.split_at(start);
    let name = written.trim_matches(is_quote);
    let quote = written.len() - written.trim_start_matches(is_quote).len();
    let qualifier: String = before.trim_end_matches('.').chars().filter(|c| !is_quote(*c)).collect();
    let call = Mention::new(at, ReferenceKind::Call, name, Cow::Owned(qualifier));
    Mention { name_at: at + offset(start + quote), ..call }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    #[test]
    fn routines_are_called_behind_words() {
        for (text, expected) in [
            ("CALL pay(1);\n", &["pay"][..]),
            ("call shop.pay(1); CALL \"Pay\";\n", &["Pay", "shop pay"]),
            ("EXEC @n = [dbo].[Pay] 1\nexecute Look 2;\n", &["Look", "dbo Pay"]),
            (
                "CREATE FUNCTION f() RETURNS int AS $$\nBEGIN\n  PERFORM pay(1);\nEND;\n$$ LANGUAGE plpgsql;\n",
                &["pay"],
            ),
            (
                "GRANT EXECUTE ON pay TO shop;\nEXECUTE IMMEDIATE 'x';\n-- CALL pay(1)\n/* CALL pay(1) */\n",
                &[],
            ),
            ("SELECT call FROM calls WHERE perform = 1;\n", &[]),
        ] {
            let file = chunk(Language::from_name("sql").unwrap(), text, &ChunkOptions::default());
            let calls = file.references.iter().filter(|one| one.kind == ReferenceKind::Call);
            let shown = |one: &str, name: &str| format!("{one} {name}").trim().to_owned();
            let mut found: Vec<String> = calls.map(|one| shown(&one.qualifier, &one.name)).collect();
            found.sort();
            assert_eq!(found, expected, "{text}");
        }
    }
}

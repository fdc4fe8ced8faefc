//! Strings that hold SQL or GraphQL: literals of a program → the texts that another grammar reads.
//!
//! The walk hands over each string ([`note`]), and the beginning of its text sorts out nearly all
//! of them. [`code`] then asks for a **mark** that leaves no doubt:
//!
//! - a tag or a function named after the language: `gql`, `graphql`, `sql`, `$queryRaw`;
//! - a comment: `/* GraphQL */`, `language=SQL`, or `-- sql` as the first line of the string;
//! - a heredoc whose delimiter names the language;
//! - a function that runs statements, such as `query`, `execute` or `prepare`;
//! - without any of these, the shape: `SELECT … FROM` and the like in capital letters, and
//!   `fragment A on B` or `query A {` if GraphQL's grammar reads the whole string.
//!
//! An English sentence can begin with `select` or `update`, but not in capital letters. So small
//! letters count only behind another mark.

mod mask;

use crate::base::text::identifier::each_part;
use crate::base::text::{head, tail};
use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;
use mask::mask;

/// Most strings of a file that are read.
const MAX_LITERALS: usize = 1000;
/// Longest string in bytes that is read; a longer one is data.
const MAX_BYTES: u32 = 64 << 10;
/// Bytes in front of a string that are searched for a mark.
const MARK_BYTES: usize = 240;
/// Longest text, in bytes, between the parts of a string that are joined.
const MAX_GAP: u32 = 200;
/// Longest mark of a literal in front of its quotation mark (`br##"`).
const MAX_PREFIX: usize = 5;

/// Words that a statement of SQL begins with.
const STATEMENTS: [&str; 12] = [
    "select", "insert", "update", "delete", "create", "with", "alter", "drop", "merge", "replace",
    "truncate", "explain",
];
/// Words that a definition of GraphQL begins with.
const DEFINITIONS: [&str; 13] = [
    "query",
    "mutation",
    "subscription",
    "fragment",
    "type",
    "input",
    "enum",
    "interface",
    "union",
    "scalar",
    "directive",
    "extend",
    "schema",
];
/// What can follow `CREATE`.
const CREATED: [&str; 17] = [
    "TABLE",
    "VIEW",
    "INDEX",
    "UNIQUE",
    "FUNCTION",
    "PROCEDURE",
    "TRIGGER",
    "TYPE",
    "TEMP",
    "TEMPORARY",
    "OR",
    "MATERIALIZED",
    "SEQUENCE",
    "SCHEMA",
    "VIRTUAL",
    "UNLOGGED",
    "GLOBAL",
];
/// What a word in the name of a function that runs statements begins with.
const RUNNERS: [&str; 9] =
    ["query", "exec", "prepare", "statement", "sql", "select", "fetch", "raw", "cursor"];

/// A string of a program, maybe of several literals that are joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::index::chunk) struct Literal {
    /// The literals with their quotation marks.
    pub(in crate::index::chunk) bytes: ByteRange,
    /// The text of each.
    parts: Vec<ByteRange>,
}

/// The text of a string in another language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::index::chunk) struct EmbeddedCode {
    /// The name of its language.
    pub(in crate::index::chunk) language: &'static str,
    /// Its parts, in order.
    pub(in crate::index::chunk) parts: Vec<ByteRange>,
    /// The text from the first part to the last, as the grammar sees it.
    pub(in crate::index::chunk) masked: Vec<u8>,
    /// Whether only its shape says so, and the grammar must read all of it.
    pub(in crate::index::chunk) is_guess: bool,
}

/// Notes a string of a program, if its text begins like SQL or GraphQL, or continues the string
/// before it.
pub(in crate::index::chunk) fn note(text: &str, bytes: ByteRange, literals: &mut Vec<Literal>) {
    if let Some(last) = literals.last_mut() {
        if bytes.start < last.bytes.end {
            return;
        }
        let gap = ByteRange { start: last.bytes.end, end: bytes.start };
        if gap.len() <= MAX_GAP && joins(gap.of(text)) {
            last.parts.push(content(text, bytes));
            last.bytes.end = bytes.end;
            return;
        }
    }
    if bytes.len() <= MAX_BYTES && literals.len() < MAX_LITERALS {
        let part = content(text, bytes);
        let begun = first_word(part.of(text));
        if is_one_of(begun, &STATEMENTS) || is_one_of(begun, &DEFINITIONS) || begun == "{" {
            literals.push(Literal { bytes, parts: vec![part] });
        }
    }
}

/// Returns whether literals with this text between them are one string: `"a" + "b"`, `"a" "b"`.
fn joins(gap: &str) -> bool {
    let mut n_signs = 0;
    gap.bytes().all(|byte| {
        n_signs += usize::from(matches!(byte, b'+' | b'.' | b'&' | b'\\'));
        byte.is_ascii_whitespace() || matches!(byte, b'+' | b'.' | b'&' | b'\\')
    }) && n_signs <= 2
}

/// Returns the text of a literal, without its quotation marks. A heredoc has none.
fn content(text: &str, bytes: ByteRange) -> ByteRange {
    let literal = bytes.of(text);
    if let Some(rest) = literal.strip_prefix("<<<") {
        let begin = rest.find('\n').map_or(literal.len(), |at| at + 4);
        let end = literal.rfind('\n').unwrap_or(begin).max(begin);
        return ByteRange { start: bytes.start + offset(begin), end: bytes.start + offset(end) };
    }
    let is_prefix = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'$' | b'@' | b'#');
    let prefix = literal.bytes().take(MAX_PREFIX).take_while(|&byte| is_prefix(byte)).count();
    let rest = literal.get(prefix..).unwrap_or_default();
    let Some(quote) = rest.bytes().next().filter(|byte| matches!(byte, b'"' | b'\'' | b'`')) else {
        return lua(literal, bytes).or_else(|| ruby(literal, bytes)).unwrap_or(bytes);
    };
    let n = rest.bytes().take_while(|&byte| byte == quote).count();
    let n = if n >= 3 { 3 } else { 1 };
    let hashes = literal.bytes().take(prefix).filter(|&byte| byte == b'#').count();
    let closing = n + if literal.ends_with('#') { hashes } else { 0 };
    let start = bytes.start + offset(prefix + n);
    ByteRange { start, end: bytes.end.saturating_sub(offset(closing)).max(start) }
}

/// Returns the text of one of Lua's long strings (`[[…]]`, `[==[…]==]`).
fn lua(literal: &str, bytes: ByteRange) -> Option<ByteRange> {
    let inner = literal.strip_prefix('[')?.trim_start_matches('=').strip_prefix('[')?;
    let n = offset(literal.len() - inner.len());
    (bytes.len() >= 2 * n).then_some(ByteRange { start: bytes.start + n, end: bytes.end - n })
}

/// Returns the text of one of Ruby's literals with a sign of its own (`%(…)`, `%q{…}`).
fn ruby(literal: &str, bytes: ByteRange) -> Option<ByteRange> {
    let inner = literal.strip_prefix('%')?;
    let inner =
        inner.strip_prefix(['q', 'Q']).unwrap_or(inner).strip_prefix(['(', '[', '{', '<', '|', '!'])?;
    let start = bytes.start + offset(literal.len() - inner.len());
    Some(ByteRange { start, end: bytes.end.saturating_sub(1).max(start) })
}

/// Returns the first word of a text behind its comments, or its first sign.
fn first_word(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(next) = ["\\n", "\\r", "\\t"].iter().find_map(|blank| rest.strip_prefix(blank)) {
        rest = next.trim_start();
    }
    for _ in 0..4 {
        if !rest.starts_with("--") && !rest.starts_with('#') {
            break;
        }
        rest = rest.split_once('\n').map_or("", |(_, below)| below).trim_start();
    }
    let rest = rest.trim_start_matches('(');
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    rest.get(..end.max(1)).unwrap_or_default()
}

fn is_one_of(word: &str, all: &[&str]) -> bool {
    all.iter().any(|one| one.eq_ignore_ascii_case(word))
}

/// Returns the text of a string, if a mark or its shape says that it is in another language.
pub(in crate::index::chunk) fn code(text: &str, literal: &Literal) -> Option<EmbeddedCode> {
    let (first, last) = (literal.parts.first()?, literal.parts.last()?);
    let whole = ByteRange { start: first.start, end: last.end };
    if whole.len() > MAX_BYTES {
        return None;
    }
    let content = whole.of(text);
    let begun = first_word(content);
    let before = tail(text.get(..literal.bytes.start as usize)?, MARK_BYTES);
    let marked = mark(before, content)
        .or_else(|| label(text, literal.bytes))
        .filter(|&language| begins(begun, language))
        .map(|language| (language, false));
    let (language, is_guess) = marked.or_else(|| shape(before, begun, content))?;
    // The delimiter of a heredoc may stand in its last line.
    let mut parts = literal.parts.clone();
    if let Some(last) = parts.last_mut()
        && *last == literal.bytes
        && let Some((above, below)) = last.of(text).rsplit_once('\n')
        && is_delimiter(below.trim())
    {
        last.end = last.start + offset(above.len());
    }
    parts.retain(|part| !part.is_empty());
    let whole = ByteRange { start: parts.first()?.start, end: parts.last()?.end };
    let masked = mask(whole.of(text), language);
    Some(EmbeddedCode { language, parts, masked, is_guess })
}

/// Returns whether a text of a language can begin with a word.
fn begins(word: &str, language: &str) -> bool {
    match language {
        "sql" => is_one_of(word, &STATEMENTS),
        _ => word == "{" || DEFINITIONS.contains(&word),
    }
}

/// Returns the language that a mark names, in front of a string or in its first line.
fn mark(before: &str, content: &str) -> Option<&'static str> {
    if let Some(comment) =
        content.trim_start().strip_prefix("--").or_else(|| content.trim_start().strip_prefix('#'))
        && let Some(language) = named(comment.lines().next().unwrap_or_default())
    {
        return Some(language);
    }
    // A literal's own prefix (`r`, `f`) does not belong to the mark.
    let trimmed = before.trim_end();
    if let Some(comment) = trimmed.strip_suffix("*/") {
        return named(comment.rsplit("/*").next()?);
    }
    let is_call = trimmed.ends_with('(');
    if trimmed.len() == before.len() || is_call {
        let name = without_types(trimmed.trim_end_matches('(').trim_end());
        let start = name.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')));
        let tag = name.get(start.map_or(0, |at| at + 1)..).unwrap_or_default();
        let language = match tag {
            "gql" | "graphql" => Some("graphql"),
            "sql" | "SQL" | "$queryRaw" | "$executeRaw" => Some("sql"),
            _ => None,
        };
        if language.is_some() {
            return language;
        }
    }
    // A comment for editors stands in the line above.
    let (above, _) = before.rsplit_once('\n')?;
    let line = above.trim_end().rsplit('\n').next()?.trim();
    let comment =
        line.strip_prefix("//").or_else(|| line.strip_prefix('#')).or_else(|| line.strip_prefix("--"))?;
    named(comment.trim().strip_prefix("language=")?)
}

/// Returns a text without type arguments at its end.
fn without_types(text: &str) -> &str {
    if !text.ends_with('>') {
        return text;
    }
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b'>' => depth += 1,
            b'<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// Returns the language that a comment names and nothing else.
fn named(comment: &str) -> Option<&'static str> {
    let comment = comment.trim();
    let name = comment.strip_prefix("language=").unwrap_or(comment).trim();
    match name.to_ascii_lowercase().as_str() {
        "sql" | "postgresql" | "mysql" | "sqlite" | "pgsql" => Some("sql"),
        "graphql" | "gql" => Some("graphql"),
        _ => None,
    }
}

/// Returns the language that the delimiter of a heredoc names.
fn label(text: &str, bytes: ByteRange) -> Option<&'static str> {
    let literal = bytes.of(text);
    let delimiter = match literal.strip_prefix("<<<") {
        Some(rest) => rest.lines().next()?.trim().trim_matches(['"', '\'']),
        None if content(text, bytes) != bytes => return None,
        // Ruby's ends with the delimiter; that of a shell stands behind it.
        None => {
            let last = literal.rsplit('\n').next()?.trim();
            let after = head(text.get(bytes.end as usize..)?, MARK_BYTES).trim_start();
            if is_delimiter(last) { last } else { after.split_whitespace().next()? }
        }
    };
    let delimiter = delimiter.to_ascii_uppercase();
    let has = |name: &str| delimiter.starts_with(name) || delimiter.ends_with(name);
    if !is_delimiter(&delimiter) {
        None
    } else if has("GRAPHQL") || has("GQL") {
        Some("graphql")
    } else {
        has("SQL").then_some("sql")
    }
}

fn is_delimiter(word: &str) -> bool {
    !word.is_empty()
        && word.len() < 40
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the language of a string that only its shape tells, and whether that is a guess.
fn shape(before: &str, begun: &str, content: &str) -> Option<(&'static str, bool)> {
    if is_one_of(begun, &STATEMENTS) {
        let content = content.replace("\\n", " ").replace("\\r", " ").replace("\\t", " ");
        let is_sql = if begun.bytes().all(|byte| byte.is_ascii_uppercase()) {
            is_statement(begun, &content)
        } else {
            is_run(before, begun) && is_statement(&begun.to_ascii_uppercase(), &content.to_ascii_uppercase())
        };
        return is_sql.then_some(("sql", false));
    }
    let at = content.find(begun)? + begun.len();
    let rest = content.get(at..)?.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let (name, rest) = rest.split_at_checked(end)?;
    let rest = rest.trim_start();
    let is_definition = match begun {
        "fragment" => rest.starts_with("on ") && rest.contains('{'),
        "query" | "mutation" | "subscription" => rest.starts_with('{') || rest.starts_with("($"),
        _ => false,
    };
    (is_definition && !name.is_empty()).then_some(("graphql", true))
}

/// Returns whether a text in capital letters that begins with a word is a statement of SQL.
fn is_statement(begun: &str, content: &str) -> bool {
    let mut words = content
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '\'' | '`' | '\\'))
        .filter(|word| !word.is_empty());
    let has = |wanted: &str| words.clone().any(|word| word == wanted);
    match begun {
        "SELECT" => has("FROM"),
        "UPDATE" => has("SET"),
        "WITH" => has("AS") && ["SELECT", "INSERT", "UPDATE", "DELETE"].into_iter().any(has),
        "EXPLAIN" => has("FROM"),
        _ => {
            let Some(next) = words.by_ref().skip_while(|word| *word != begun).nth(1) else { return false };
            match begun {
                "INSERT" | "REPLACE" => matches!(next, "INTO" | "OR" | "IGNORE" | "OVERWRITE"),
                "DELETE" => next == "FROM",
                "MERGE" => next == "INTO",
                "CREATE" | "ALTER" | "DROP" => CREATED.contains(&next),
                _ => next == "TABLE",
            }
        }
    }
}

/// Returns whether a string that begins with a word is an argument of a function that runs
/// statements. An argument in front of it is a plain name, such as Go's `ctx`.
fn is_run(before: &str, begun: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_plain = |c: char| is_name(c) || c.is_whitespace() || matches!(c, '.' | ',' | '&' | '=' | '$');
    // Ruby needs no parentheses.
    let is_command = before.ends_with(' ') && before.trim_end().ends_with(is_name);
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || c == '&');
    let function = match before.rsplit_once('(').filter(|_| !is_command) {
        Some((function, arguments)) if arguments.chars().all(is_plain) => function.trim_end(),
        None if is_command => before,
        _ => return false,
    };
    let function = without_types(function).trim_end_matches(['!', ':']);
    let start = function.rfind(|c: char| !is_name(c));
    let name = function.get(start.map_or(0, |at| at + 1)..).unwrap_or_default();
    if name == "text" {
        // Elsewhere, the function of this name shows a sentence to a user.
        return !is_command && begun.bytes().all(|byte| byte.is_ascii_lowercase());
    }
    let mut runs = false;
    each_part(name, |word| {
        let word = word.to_ascii_lowercase();
        runs |= RUNNERS.iter().any(|runner| word.starts_with(runner));
    });
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::testing::{HOSTILE, within};

    /// Returns the language of the first string in a text, which stands between two `§`.
    pub(in crate::index::chunk) fn found(marked: &str) -> Option<(&'static str, String)> {
        let (before, rest) = marked.split_once('§').unwrap();
        let (literal, after) = rest.split_once('§').unwrap();
        let text = format!("{before}{literal}{after}");
        let bytes = ByteRange { start: offset(before.len()), end: offset(before.len() + literal.len()) };
        let mut literals = Vec::new();
        note(&text, bytes, &mut literals);
        let code = code(&text, literals.first()?)?;
        Some((code.language, String::from_utf8(code.masked).unwrap()))
    }

    #[test]
    fn marks_name_the_language() {
        for (text, expected) in [
            ("gql§`query A { b }`§", Some("graphql")),
            ("graphql(§`fragment A on B { c }`§)", Some("graphql")),
            ("gql<Answer>(§`query A { b }`§)", Some("graphql")),
            ("const a = /* GraphQL */ §`{ a }`§", Some("graphql")),
            ("a = §\"\"\"#graphql\ntype A { b: C }\"\"\"§", Some("graphql")),
            ("a = §'query A { b }'§", Some("graphql")),
            ("a = §'fragment A on B { c }'§", Some("graphql")),
            ("a = §'type A { b: C }'§", None),
            ("a = §'query the server'§", None),
            ("gql§`${A}`§", None),
            ("Prisma.sql§`select a from b`§", Some("sql")),
            ("db.$queryRaw<Row[]>§`select a from b`§", Some("sql")),
            ("/* sql */ §\"select a from b\"§", Some("sql")),
            ("// language=SQL\nString a = §\"select a from b\"§;", Some("sql")),
            ("a = §'-- sql\nselect a from b'§", Some("sql")),
            ("query_as!(User, §\"select a from b\"§)", Some("sql")),
            ("sqlx::query(§r#\"select a from b\"#§)", Some("sql")),
            ("db.QueryContext(ctx, §`select a from b`§)", Some("sql")),
            ("session.execute(text(§\"select a from b\"§))", Some("sql")),
            ("a = §\"SELECT a FROM b\"§", Some("sql")),
            ("a = §\"INSERT INTO a VALUES (1)\"§", Some("sql")),
            ("a = §\"WITH b AS (SELECT 1) SELECT * FROM b\"§", Some("sql")),
            ("a = §\"CREATE TABLE IF NOT EXISTS a (b int)\"§", Some("sql")),
            ("print(§\"select a file from the list\"§)", None),
            ("a = §\"\\n SELECT a\\nFROM b\"§", Some("sql")),
            ("execute §\"select a from b\"§", Some("sql")),
            ("return §\"select a from b\"§", None),
            ("a = §%q{SELECT a FROM b}§", Some("sql")),
            ("Text(§\"Select a file from the list\"§)", None),
            ("text(§\"Select a file from the list\"§)", None),
            ("draw(§\"select a file from the list\"§)", None),
            ("db.executemany(§\"Insert into a values (?)\"§)", Some("sql")),
            ("pg_query($db, §\"select a from b\"§)", Some("sql")),
            ("mysqli_query(db, §\"select a from b\"§)", Some("sql")),
            ("print(§\"Update the settings\"§)", None),
            ("print(§\"SELECT a file\"§)", None),
            ("print(§\"CREATE a file\"§)", None),
            ("print(§\"DROP it\"§)", None),
            ("a = <<~SQL§\n  select a\n  from b\nSQL§\n", Some("sql")),
            ("psql <<'SQL'\n§select a from b\n§SQL\n", Some("sql")),
            ("$a = §<<<GRAPHQL\nquery { a }\nGRAPHQL§;", Some("graphql")),
            ("a = <<~TEXT§\n  select a\n  from b\nTEXT§\n", None),
        ] {
            assert_eq!(found(text).map(|(language, _)| language), expected, "{text}");
        }
    }

    #[test]
    fn literals_that_follow_each_other_are_one_string() {
        for (gap, is_one) in [(" + ", true), ("\n    ", true), (" . ", true), (", ", false), ("; f(", false)]
        {
            let text = format!("\"SELECT a \"{gap}\"FROM b\"");
            let mut literals = Vec::new();
            let (first, second) = (offset(11), offset(11 + gap.len()));
            note(&text, ByteRange { start: 0, end: first }, &mut literals);
            note(&text, ByteRange { start: second, end: offset(text.len()) }, &mut literals);
            let parts = literals.first().map(|one| one.parts.len());
            assert_eq!(parts, Some(if is_one { 2 } else { 1 }), "{gap:?}");
        }
    }

    #[test]
    fn takes_no_time_for_hostile_text() {
        for unit in ["SELECT FROM {", "SELECT FROM %(", "SELECT FROM ${", "query A {", "-- ", "(", "\\"] {
            let text = format!("\"{}\"", unit.repeat(60_000 / unit.len()));
            within(HOSTILE, || {
                let mut literals = Vec::new();
                note(&text, ByteRange { start: 0, end: offset(text.len()) }, &mut literals);
                for literal in &literals {
                    let _ = code(&text, literal);
                }
            });
        }
    }
}

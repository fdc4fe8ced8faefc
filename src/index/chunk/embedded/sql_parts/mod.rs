//! SQL that its grammar cannot read as a whole: dialects → statements that can be read one by one.
//!
//! One statement in a dialect can hide all that follow: a trigger of SQLite, a procedure of
//! Transact-SQL. So a text with an error is cut at lines that begin with `CREATE`, or with an
//! `ALTER` that may replace a routine or a view, and at the lines between two batches (`GO`). It is
//! also cut where a statement of a script creates a table or an index further in: `IF … BEGIN`. If
//! the grammar cannot read what a part creates, its first words say it. The members of a package
//! are read by lines (`package`), and the columns of a table that has an error by commas
//! (`columns`).

mod columns;
mod package;

use super::container::append;
use super::declaration_order;
use crate::index::chunk::lines::{Lines, offset};
use crate::index::chunk::mention::MAX_NAME;
use crate::index::chunk::parse::{self, Budget};
use crate::index::chunk::resolve::ResolvedTable;
use crate::index::chunk::walk;
use crate::index::chunk::walk_result::WalkResult;
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind, Language, complete};
use std::collections::HashSet;
use tree_sitter::Tree;

/// Most words before the name of what a statement creates.
const MAX_WORDS: usize = 16;

/// Words between `CREATE` and what is created.
const MODIFIERS: &[&str] = &[
    "ALGORITHM",
    "ALTER",
    "CLUSTERED",
    "CONSTRAINT",
    "DEFINER",
    "EDITIONABLE",
    "EXTERNAL",
    "FORCE",
    "FOREIGN",
    "GLOBAL",
    "INVOKER",
    "LOCAL",
    "MATERIALIZED",
    "NONCLUSTERED",
    "NONEDITIONABLE",
    "OR",
    "PUBLIC",
    "RECURSIVE",
    "REPLACE",
    "SECURE",
    "SECURITY",
    "SQL",
    "TEMP",
    "TEMPORARY",
    "TRANSIENT",
    "UNIQUE",
    "UNLOGGED",
    "VIRTUAL",
];

/// What is created that groups or serves others.
const MODULES: &[&str] = &[
    "COLLATION",
    "DATABASE",
    "EXTENSION",
    "LANGUAGE",
    "LOGIN",
    "PUBLICATION",
    "ROLE",
    "SERVER",
    "STAGE",
    "STATISTICS",
    "SUBSCRIPTION",
    "TABLESPACE",
    "TEXT",
    "USER",
    "WAREHOUSE",
];

/// Words behind another one, which say together what is created: `EVENT TRIGGER`, `DATABASE LINK`,
/// `TEXT SEARCH PARSER`.
const SECOND: &[&str] = &[
    "CLASS",
    "CONFIGURATION",
    "DICTIONARY",
    "FAMILY",
    "FUNCTION",
    "LINK",
    "PARSER",
    "SEARCH",
    "TEMPLATE",
    "TRIGGER",
];

/// What `ALTER` can replace.
const REPLACED: &[&str] = &["FUNCTION", "PROC", "PROCEDURE", "TRIGGER", "VIEW"];

/// What contains statements of its own.
const ROUTINES: &[&str] = &["EVENT", "FUNCTION", "PACKAGE", "PROC", "PROCEDURE", "TRIGGER"];

/// Words of statements that have others inside.
const BLOCKS: &[&str] = &["AS", "BEGIN", "BODY", "DECLARE", "DO", "IS", "RULE", "SCHEMA", "TYPE", "VIEW"];

/// What a statement inside of another one creates.
const INNER: &[&str] = &["INDEX", "SEQUENCE", "TABLE"];

/// Words that the grammar takes for a name where it can't read a statement (`CREATE TYPE t AS TABLE
/// (…)`, `TYPE t IS TABLE OF r`), in order.
const NO_NAMES: &[&str] =
    &["AS", "BODY", "FROM", "FUNCTION", "IS", "OF", "ON", "SCHEMABINDING", "SELECT", "TABLE", "WITH"];

/// What a statement creates, by its first words.
struct Header<'t> {
    kind: DeclarationKind,
    name: &'t str,
    name_at: u32,
    /// The statement, without the comments above.
    bytes: ByteRange,
    /// Whether it is a package, which has members.
    is_package: bool,
    /// Whether it may have columns.
    has_columns: bool,
}

impl Header<'_> {
    /// Returns the range in which nothing else is declared.
    fn closed(&self) -> ByteRange {
        let is_closed = self.kind == DeclarationKind::Type && !self.has_columns;
        if is_closed { self.bytes } else { ByteRange::default() }
    }
}

/// Walks a text part by part.
pub(in crate::index::chunk) fn walk<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &'t Lines<'t>,
    limit: u32,
) -> WalkResult<'t> {
    let mut all = WalkResult::default();
    let mut dropped: HashSet<usize> = HashSet::new();
    for (part, tree) in trees(language, lines) {
        let is_broken = tree.as_ref().is_none_or(|tree| tree.root_node().has_error());
        let walked = tree.map(|tree| walk::walk(language, resolved, &tree, lines, limit));
        let mut walked = walked.unwrap_or_default();
        let header = header(lines.text(), part);
        // The grammar does not know the sign in front of a temporary table's name.
        let is_same = |one: &Declaration, name: &str| one.name == name.trim_start_matches('#');
        let own_name = header.as_ref().map(|header| header.name).unwrap_or_default();
        for one in walked.declarations.iter_mut().filter(|one| is_same(one, own_name)) {
            own_name.clone_into(&mut one.name);
        }
        let columns = header.as_ref().filter(|header| header.has_columns && is_broken).and_then(|header| {
            let at = header.name_at + offset(header.name.len());
            columns::columns(lines.text(), at, header.bytes.end)
        });
        let table = walked.declarations.iter().position(|one| one.name == own_name).map(offset);
        let header = header.filter(|_| table.is_none());
        let before = header.as_ref().and_then(|header| lines.text().get(..header.name_at as usize));
        let schema = before.and_then(|before| before.strip_suffix('.')).unwrap_or_default();
        let closed = header.as_ref().map(Header::closed).unwrap_or_default();
        let own = offset(all.declarations.len());
        let is_new = header.is_some();
        let package = header.as_ref().filter(|one| one.is_package);
        let package = package.map(|one| one.bytes);
        all.declarations.extend(header.map(|header| declaration(&header, part, &walked, lines)));
        let from = all.declarations.len();
        all.declarations
            .extend(package.map(|bytes| package::members(lines, bytes, own)).into_iter().flatten());
        let table = table.map_or(own, |at| offset(all.declarations.len()) + at);
        append(&mut all, walked);
        if let Some((columns, list)) = columns {
            // What the grammar takes for columns is not.
            let declared = all.declarations.iter().enumerate().skip(from);
            let is_in_list = |one: &Declaration| list.contains(one.span.bytes.start);
            dropped.extend(declared.filter(|(_, one)| is_in_list(one)).map(|(at, _)| at));
            all.declarations.extend(columns.into_iter().map(|one| one.declaration(lines, table)));
        }
        if is_new {
            // `TYPE int4` of an operator class, and the schema of an index.
            let is_part = |one: &Declaration| {
                closed.contains(one.span.bytes.start) || schema.strip_suffix(&one.name).is_some()
            };
            let is_no_name = |one: &Declaration| {
                let is_word = NO_NAMES.iter().any(|word| one.name.eq_ignore_ascii_case(word));
                is_word || one.name.contains('\'') || is_part(one)
            };
            for (at, one) in all.declarations.iter_mut().enumerate().skip(from) {
                // What such a name has inside is not what it seems, either.
                let is_within = one.parent.is_some_and(|parent| dropped.contains(&(parent as usize)));
                if is_no_name(one) || is_within {
                    dropped.insert(at);
                }
                one.parent = one.parent.or(Some(own));
            }
        }
    }
    complete(resolved, lines.text(), &mut all);
    all.declarations = declaration_order::in_order(&all.declarations, |at| !dropped.contains(&at)).0;
    all
}

/// Returns the parts of a text and their trees. A part has none if it exceeds the parser's budget.
pub(in crate::index::chunk) fn trees(
    language: Language,
    lines: &Lines<'_>,
) -> Vec<(ByteRange, Option<Tree>)> {
    let mut budget = Budget::default();
    let parts = parts(lines).into_iter();
    parts.map(|part| (part, parse::parse_masked(language, lines, &[part], None, &mut budget))).collect()
}

/// Cuts a text into parts, none of which is blank.
fn parts(lines: &Lines<'_>) -> Vec<ByteRange> {
    let mut parts: Vec<ByteRange> = Vec::new();
    let mut end_part = |from: u32, to: u32| {
        let bytes = ByteRange { start: from, end: to.max(from) };
        if !bytes.of(lines.text()).trim().is_empty() {
            parts.push(bytes);
        }
    };
    let mut start = 0;
    // The first of the comments directly above.
    let mut above = None;
    let mut quote = Quote::None;
    let mut is_in_routine = false;
    // Whether the statement can only end with a semicolon.
    let mut is_plain = false;
    for line in 0..lines.len() {
        let bytes = ByteRange { start: lines.start(line), end: lines.end(line) };
        let written = bytes.of(lines.text());
        if matches!(quote, Quote::None) {
            let first = written.split_whitespace().next().unwrap_or_default();
            let is_end = |word: &str| first.eq_ignore_ascii_case(word);
            if is_end("go") || is_end("delimiter") {
                end_part(start, bytes.start);
                start = lines.end(line);
                is_in_routine = false;
            } else if written.starts_with(first) && (is_end("create") || alters(written))
                || is_end("create") && !is_in_routine && has_word(written, INNER)
            {
                // The word may be on the next line.
                is_in_routine = has_word(written, ROUTINES) || !has_word(written, INNER);
                let cut = above.unwrap_or(bytes.start).max(start);
                end_part(start, cut);
                (start, is_plain) = (cut, true);
            }
            is_plain &= !has_word(written, ROUTINES) && !has_word(written, BLOCKS);
            above = match first.starts_with("--") {
                true => above.or(Some(bytes.start)),
                false => None,
            };
        }
        quote = quote.after(written);
        if is_plain && matches!(quote, Quote::None) && written.trim_end().ends_with(';') {
            end_part(start, bytes.end);
            (start, is_plain, is_in_routine) = (bytes.end, false, false);
        }
    }
    end_part(start, offset(lines.text().len()));
    parts
}

/// Returns whether a line has one of these words, in any case.
fn has_word(line: &str, words: &[&str]) -> bool {
    let line = line.split_once("--").map_or(line, |(code, _)| code);
    let mut written = line.split(|c: char| !c.is_alphanumeric() && c != '_').take(2 * MAX_WORDS);
    written.any(|word| words.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

/// Returns whether a line begins a statement that may replace a routine or a view.
fn alters(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is = |word: Option<&str>, of: &[&str]| {
        word.is_some_and(|word| of.iter().any(|one| word.eq_ignore_ascii_case(one)))
    };
    is(words.next(), &["ALTER"]) && is(words.next(), REPLACED)
}

/// Returns whether a statement has a definition: the word `AS`. `ALTER VIEW v RENAME TO w` has
/// none.
fn has_definition(statement: &str) -> bool {
    let code = statement.lines().map(|line| line.split_once("--").map_or(line, |(code, _)| code));
    for line in code {
        let (line, is_last) = line.split_once(';').map_or((line, false), |(line, _)| (line, true));
        if line.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("as")) {
            return true;
        }
        if is_last {
            return false;
        }
    }
    false
}

/// A text that goes on over lines.
#[derive(Clone, Copy)]
enum Quote<'t> {
    None,
    /// `/* … */`
    Comment,
    /// `$tag$ … $tag$`
    Dollars(&'t str),
}

impl<'t> Quote<'t> {
    /// Returns what is open behind a line.
    fn after(self, line: &'t str) -> Self {
        let mut open = self;
        let mut rest = line;
        loop {
            let next = match open {
                Quote::Comment => rest.find("*/").map(|at| (at + 2, Quote::None)),
                Quote::Dollars(tag) => rest.find(tag).map(|at| (at + tag.len(), Quote::None)),
                Quote::None => opening(rest),
            };
            let Some((at, quote)) = next else { return open };
            rest = rest.get(at..).unwrap_or_default();
            open = quote;
        }
    }
}

/// Returns the first opening of a comment or a quotation in dollars, and where it ends.
fn opening(rest: &str) -> Option<(usize, Quote<'_>)> {
    let mut from = 0;
    while let Some(at) = rest.get(from..)?.find(['/', '$', '-']).map(|at| from + at) {
        let behind = rest.get(at..)?;
        if behind.starts_with("--") {
            return None;
        }
        if behind.starts_with("/*") {
            return Some((at + 2, Quote::Comment));
        }
        let tag = behind.strip_prefix('$').and_then(|behind| behind.find('$').and_then(|n| behind.get(..n)));
        if let Some(tag) = tag.filter(|tag| tag.chars().all(|c| c.is_alphanumeric() || c == '_')) {
            let len = tag.len() + 2;
            return Some((at + len, Quote::Dollars(behind.get(..len)?)));
        }
        from = at + 1;
    }
    None
}

/// Reads the first words of a part.
fn header(text: &str, part: ByteRange) -> Option<Header<'_>> {
    let mut at = part.start as usize;
    let end = part.end as usize;
    // Skip the comments above.
    loop {
        let rest = text.get(at..end)?;
        at += rest.len() - rest.trim_start().len();
        let rest = text.get(at..end)?;
        if !rest.starts_with("--") {
            break;
        }
        at += rest.find('\n')?;
    }
    let start = at;
    let (mut kind, mut has_create, mut is_package) = (None, false, false);
    let (mut has_columns, mut is_operator) = (false, false);
    // Whether the last word may be a kind of its own, or part of one: `EVENT TRIGGER`.
    let mut is_half = false;
    for _ in 0..MAX_WORDS {
        let rest = text.get(at..end)?;
        at += rest.len() - rest.trim_start().len();
        let rest = text.get(at..end)?;
        let len = rest.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(rest.len());
        let word = rest.get(..len)?.to_ascii_uppercase();
        let is_between = matches!(word.as_str(), "IF" | "NOT" | "EXISTS" | "BODY" | "CONCURRENTLY")
            || is_half && SECOND.contains(&word.as_str());
        is_half =
            matches!(word.as_str(), "AGGREGATE" | "DATABASE" | "EVENT" | "OPERATOR" | "SEARCH" | "TEXT");
        if has_create && kind.is_some() && !is_between {
            let sign = rest.get(..len).filter(|_| is_operator).map(|sign| (sign, 0));
            let name = if is_operator { sign } else { name(rest) };
            let (name, from) = name.filter(|(name, _)| !name.eq_ignore_ascii_case("on"))?;
            let statement = text.get(start..end)?.trim_end();
            let bytes = ByteRange { start: offset(start), end: offset(start + statement.len()) };
            let name_at = offset(at + from);
            return Some(Header { kind: kind?, name, name_at, bytes, is_package, has_columns });
        }
        is_operator &= !matches!(word.as_str(), "CLASS" | "FAMILY");
        match word.as_str() {
            "CREATE" if !has_create => has_create = true,
            "ALTER" if !has_create && alters(rest) && has_definition(rest) => has_create = true,
            _ if !has_create => return None,
            "AGGREGATE" | "EVENT" | "FUNCTION" | "POLICY" | "PROC" | "PROCEDURE" | "RULE" | "TRIGGER" => {
                kind = Some(DeclarationKind::Function);
            }
            "OPERATOR" => (kind, is_operator) = (Some(DeclarationKind::Function), true),
            "CLASS" | "DOMAIN" | "FAMILY" => kind = Some(DeclarationKind::Type),
            "TYPE" => (kind, has_columns) = (Some(DeclarationKind::Type), true),
            "TABLE" => (kind, has_columns) = (Some(DeclarationKind::Table), true),
            "INDEX" | "SEQUENCE" | "SYNONYM" | "VIEW" => kind = Some(DeclarationKind::Table),
            word if kind.is_none() && MODULES.contains(&word) => kind = Some(DeclarationKind::Module),
            "PACKAGE" => (kind, is_package) = (Some(DeclarationKind::Module), true),
            word if kind.is_some() || MODIFIERS.contains(&word) || word.contains(['=', '@']) => {}
            _ => return None,
        }
        at += len;
    }
    None
}

/// Reads the last part of a name with its schema: `dbo.[Orders]`. Returns it without quotes, and
/// where it begins.
fn name(written: &str) -> Option<(&str, usize)> {
    let mut from = 0;
    loop {
        let rest = written.get(from..)?;
        let close = match rest.chars().next()? {
            '"' => Some('"'),
            '`' => Some('`'),
            '\'' => Some('\''),
            '[' => Some(']'),
            _ => None,
        };
        let (start, end, after) = match close {
            Some(close) => {
                let end = from + 1 + rest.get(1..)?.find(close)?;
                (from + 1, end, end + 1)
            }
            None => {
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '@');
                let end = from + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                (from, end, end)
            }
        };
        if written.get(after..)?.starts_with('.') {
            from = after + 1;
            continue;
        }
        let name = written.get(start..end)?;
        let is_name = !name.is_empty() && name.len() <= MAX_NAME && !name.contains('\n');
        return is_name.then_some((name, start));
    }
}

/// Returns the declaration that the first words of a part make.
fn declaration(
    header: &Header<'_>,
    part: ByteRange,
    walked: &WalkResult<'_>,
    lines: &Lines<'_>,
) -> Declaration {
    let text = lines.text();
    let comments = walked.comments.iter().filter(|one| one.end <= header.bytes.start);
    let above = comments.fold(None::<ByteRange>, |above, one| match above {
        Some(above) if is_next(text, above.end, one.start) => Some(ByteRange { end: one.end, ..above }),
        _ => Some(*one),
    });
    let doc = above.filter(|one| is_next(text, one.end, header.bytes.start) && one.start >= part.start);
    let written = header.bytes.of(text);
    let line = written.lines().next().unwrap_or_default().trim_end_matches([' ', '\t', ';']);
    let name_end = (header.name_at - header.bytes.start) as usize + header.name.len();
    let signature_len = offset(line.len().max(name_end));
    let signature = ByteRange { end: header.bytes.start + signature_len, ..header.bytes };
    let body = ByteRange { start: signature.end, ..header.bytes };
    let has_body = !body.of(text).trim_matches([' ', '\t', '\r', '\n', ';']).is_empty();
    let start = doc.map_or(header.bytes.start, |doc| doc.start);
    Declaration {
        name: header.name.to_owned(),
        scope: String::new(),
        kind: header.kind,
        parent: None,
        span: lines.span(ByteRange { start, ..header.bytes }),
        name_line: lines.of(header.name_at) + 1,
        signature,
        body: if has_body { body } else { ByteRange::default() },
        doc: doc.unwrap_or_default(),
    }
}

/// Returns whether only white space without a blank line is between two offsets.
fn is_next(text: &str, before: u32, after: u32) -> bool {
    let between = ByteRange { start: before, end: after.max(before) }.of(text);
    between.trim().is_empty() && between.bytes().filter(|&byte| byte == b'\n').count() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_say_what_a_statement_creates() {
        for (written, expected) in [
            ("CREATE PROCEDURE p(a int) AS", Some((DeclarationKind::Function, "p"))),
            (
                "-- Comment.\ncreate or alter proc [dbo].[My Proc] as",
                Some((DeclarationKind::Function, "My Proc")),
            ),
            ("CREATE DOMAIN d AS text", Some((DeclarationKind::Type, "d"))),
            ("CREATE VIRTUAL TABLE IF NOT EXISTS v USING fts5(a)", Some((DeclarationKind::Table, "v"))),
            ("CREATE DEFINER=`a`@`b` TRIGGER `t` AFTER", Some((DeclarationKind::Function, "t"))),
            ("CREATE TABLE \"s\".\"t\"(a int)", Some((DeclarationKind::Table, "t"))),
            ("ALTER PROCEDURE [dbo].[p] @a int\nAS\nSELECT 1", Some((DeclarationKind::Function, "p"))),
            ("alter view v -- a;\nas select 1", Some((DeclarationKind::Table, "v"))),
            ("ALTER VIEW v RENAME TO w; SELECT 1 AS a", None),
            ("ALTER FUNCTION f() OWNER TO o", None),
            ("ALTER TABLE t ADD a AS (b)", None),
            ("CREATE EVENT ev ON SCHEDULE EVERY 1 DAY", Some((DeclarationKind::Function, "ev"))),
            ("CREATE EVENT TRIGGER et ON x", Some((DeclarationKind::Function, "et"))),
            ("CREATE AGGREGATE total(int) (a = b)", Some((DeclarationKind::Function, "total"))),
            ("CREATE OR REPLACE AGGREGATE FUNCTION agg RETURNS", Some((DeclarationKind::Function, "agg"))),
            ("CREATE OPERATOR === (LEFTARG = box)", Some((DeclarationKind::Function, "==="))),
            ("CREATE OPERATOR CLASS oc DEFAULT FOR TYPE int4", Some((DeclarationKind::Type, "oc"))),
            ("CREATE USER 'jeff'@'localhost' IDENTIFIED", Some((DeclarationKind::Module, "jeff"))),
            ("CREATE DATABASE LINK dl CONNECT", Some((DeclarationKind::Module, "dl"))),
            ("CREATE TEXT SEARCH CONFIGURATION ts (a = b)", Some((DeclarationKind::Module, "ts"))),
            ("CREATE POLICY own ON t USING (a)", Some((DeclarationKind::Function, "own"))),
            ("CREATE PUBLIC SYNONYM dbo.Syn FOR x", Some((DeclarationKind::Table, "Syn"))),
            ("CREATE EXTENSION IF NOT EXISTS \"uuid-ossp\"", Some((DeclarationKind::Module, "uuid-ossp"))),
            ("CREATE TABLE #t (a int)", Some((DeclarationKind::Table, "#t"))),
            ("CREATE", None),
            ("CREATE TABLE", None),
            ("CREATE TABLE \"t", None),
            ("CREATE TABLE é.ü (", Some((DeclarationKind::Table, "ü"))),
            ("CREATE INDEX i ON t (type)", Some((DeclarationKind::Table, "i"))),
            ("CREATE UNIQUE NONCLUSTERED INDEX [i] ON t (a)", Some((DeclarationKind::Table, "i"))),
            ("CREATE INDEX ON t (a)", None),
            ("CREATE TABLE 't' (a)", Some((DeclarationKind::Table, "t"))),
            ("SELECT 1", None),
            ("", None),
        ] {
            let part = ByteRange { start: 0, end: offset(written.len()) };
            let found = header(written, part);
            if let Some(one) = &found {
                let at = one.name_at as usize;
                assert_eq!(written.get(at..at + one.name.len()), Some(one.name), "{written}");
            }
            assert_eq!(found.map(|one| (one.kind, one.name)), expected, "{written}");
        }
    }

    #[test]
    fn a_script_is_cut_where_it_creates_a_table_further_in() {
        let text = "IF a\nBEGIN\n  CREATE TABLE b\nEND\n  CREATE x\nCREATE PROC c AS\n  CREATE TABLE d\nGO\n  CREATE INDEX e";
        let lines = Lines::new(text);
        let parts: Vec<&str> = parts(&lines).iter().map(|part| part.of(text)).collect();
        assert_eq!(
            parts,
            [
                "IF a\nBEGIN\n",
                "  CREATE TABLE b\nEND\n  CREATE x\n",
                "CREATE PROC c AS\n  CREATE TABLE d\n",
                "  CREATE INDEX e"
            ]
        );
    }

    #[test]
    fn a_text_is_cut_before_create_and_at_the_end_of_a_batch() {
        let text = "ALTER TABLE a;\nALTER PROC b AS c;\nSET x;\n-- About a.\nCREATE a\n  CREATE b\nGO\n/*\nCREATE c\n*/\nSELECT $q$\nCREATE d\n$q$;\ncreate e";
        let lines = Lines::new(text);
        let parts: Vec<&str> = parts(&lines).iter().map(|part| part.of(text)).collect();
        assert_eq!(
            parts,
            [
                "ALTER TABLE a;\n",
                "ALTER PROC b AS c;\nSET x;\n",
                "-- About a.\nCREATE a\n  CREATE b\n",
                "\n/*\nCREATE c\n*/\nSELECT $q$\nCREATE d\n$q$;",
                "create e"
            ]
        );
    }
}

//! Code of other languages inside of a program: SQL and GraphQL in strings → declarations and
//! references of those languages.
//!
//! `strings` finds the strings. Each is parsed by its own grammar at its own place in the file. A
//! reference belongs to the language of its file, unless a **mark** says otherwise: the name of the
//! language in backquotes, in front of a reference's alias and of a declaration's scope. So a table
//! is never taken for a class of the program, and a string in Rust refers to a table that a file of
//! SQL creates.
//!
//! The strings of a file share one parser's budget.

pub(super) mod container;
pub(super) mod declaration_order;
pub(super) mod fences;
pub(super) mod markup;
mod maven;
pub(super) mod sql_parts;
pub(super) mod strings;
mod tags;
mod vue_options;

use super::lines::Lines;
use super::mention::Mention;
use super::parse::Budget;
use super::walk_result::WalkResult;
use super::{Declaration, Language, ReferenceKind, complete, parse, walk};
use container::append;
use std::borrow::Cow;
use std::collections::HashSet;
use strings::EmbeddedCode;
use tree_sitter::Tree;

/// The languages that a mark can name.
const MARKED: [&str; 10] =
    ["css", "go-template", "graphql", "javascript", "julia", "php", "python", "r", "sql", "typescript"];

/// Splits the mark from an alias or a scope: returns the language that it names, and the rest.
/// `None` without a mark. The language is then that of the file.
pub fn embedded_language(marked: &str) -> Option<(&'static str, &str)> {
    let (name, rest) = marked.strip_prefix('`')?.split_once('`')?;
    let language = MARKED.into_iter().find(|one| *one == name)?;
    Some((language, rest))
}

/// Returns an alias or a scope without its mark.
pub fn without_language(marked: &str) -> &str {
    embedded_language(marked).map_or(marked, |(_, rest)| rest)
}

/// Adds what the strings of a program declare and refer to.
pub(super) fn add<'t>(mut host: WalkResult<'t>, lines: &'t Lines<'t>) -> WalkResult<'t> {
    let literals = std::mem::take(&mut host.strings);
    let mut found = WalkResult::default();
    let mut budget = Budget::default();
    for literal in &literals {
        let code = strings::code(lines.text(), literal);
        if let Some(one) = code.and_then(|code| read(&code, lines, &mut budget)) {
            append(&mut found, one);
        }
    }
    if !found.declarations.is_empty() {
        host.declarations = container::declarations(host.declarations, found.declarations, &[]);
    }
    host.mentions.append(&mut found.mentions);
    host
}

/// Reads the text of a string.
fn read<'t>(code: &EmbeddedCode, lines: &'t Lines<'t>, budget: &mut Budget) -> Option<WalkResult<'t>> {
    let language = Language::from_name(code.language)?;
    let resolved = language.resolved()?;
    if !std::str::from_utf8(&code.masked).is_ok_and(parse::is_parseable) {
        return None;
    }
    let tree = parse::parse_masked(language, lines, &code.parts, Some(&code.masked), budget)?;
    if code.is_guess && tree.root_node().has_error() {
        return None;
    }
    let mut walked = walk::walk(language, resolved, &tree, lines, u32::MAX);
    complete(resolved, lines.text(), &mut walked);
    let own = table_expressions(&tree, lines.text());
    // In a string with escapes, a quoted name ends with one: `\"user\"`.
    for one in &mut walked.mentions {
        let len = one.name.trim_end_matches('\\').len();
        match &mut one.name {
            Cow::Borrowed(name) => *name = name.get(..len).unwrap_or(name),
            Cow::Owned(name) => name.truncate(len),
        }
    }
    walked.mentions.retain(|one| is_name(&one.name) && !own.contains(&*one.name));
    for one in &mut walked.declarations {
        one.name.truncate(one.name.trim_end_matches('\\').len());
    }
    walked.declarations = retained(walked.declarations, |one| is_name(&one.name));
    mark(&mut walked, code.language);
    Some(walked)
}

/// Returns the declarations that are wanted, without what is in the others. Where a name is not
/// wanted, the program or the template puts it in.
fn retained(all: Vec<Declaration>, is_wanted: impl Fn(&Declaration) -> bool) -> Vec<Declaration> {
    let mut places: Vec<Option<u32>> = Vec::with_capacity(all.len());
    let mut kept: Vec<Declaration> = Vec::new();
    for mut one in all {
        let around = one.parent.map(|parent| places.get(parent as usize).copied().flatten());
        let is_kept = is_wanted(&one) && around != Some(None);
        places.push(u32::try_from(kept.len()).ok().filter(|_| is_kept));
        if is_kept {
            one.parent = around.flatten();
            kept.push(one);
        }
    }
    kept
}

/// Marks declarations and mentions as those of a language. Imports are left out, because a part of
/// a file has no place that they could start from.
pub(super) fn mark(walked: &mut WalkResult<'_>, language: &str) {
    for one in walked.declarations.iter_mut().filter(|one| one.parent.is_none()) {
        one.scope = format!("`{language}`{}", one.scope);
    }
    walked.mentions.retain(|one| !matches!(one.kind, ReferenceKind::Import | ReferenceKind::Gives));
    for one in &mut walked.mentions {
        let Mention { kind, alias, is_own, .. } = one;
        if *kind == ReferenceKind::Link {
            continue;
        }
        // The alias of an heir would be its name.
        let rest = if *kind == ReferenceKind::Inherits { "" } else { &**alias };
        *alias = Cow::Owned(format!("`{language}`{rest}"));
        if *kind == ReferenceKind::Inherits {
            *kind = ReferenceKind::Type;
        }
        *is_own = false;
    }
}

/// Returns whether a text is a plain name. Elsewhere, the program puts something in.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// Returns the names that a statement of SQL declares for itself (`WITH name AS (…)`).
fn table_expressions<'t>(tree: &Tree, text: &'t str) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "cte" {
            let name = node.named_child(0).and_then(|name| text.get(name.byte_range()));
            names.extend(name);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return names;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, ChunkedFile, chunk};

    fn chunked(language: &str, text: &str) -> Option<ChunkedFile> {
        let language = Language::from_name(language).filter(|one| !one.lacks_grammar())?;
        let has_sql = Language::from_name("sql").is_some_and(|one| !one.lacks_grammar());
        has_sql.then(|| chunk(language, text, &ChunkOptions::default()))
    }

    fn declared(file: &ChunkedFile) -> Vec<(&str, &str)> {
        file.declarations.iter().map(|one| (one.scope.as_str(), one.name.as_str())).collect()
    }

    /// Returns the references in strings: kind, name, alias.
    fn marked(file: &ChunkedFile) -> Vec<(ReferenceKind, &str, &str)> {
        let all = file.references.iter().filter(|one| embedded_language(&one.alias).is_some());
        all.map(|one| (one.kind, one.name.as_str(), one.alias.as_str())).collect()
    }

    #[test]
    fn marks_are_split_from_the_rest() {
        for (text, expected) in [
            ("`sql`", Some(("sql", ""))),
            ("`sql`public", Some(("sql", "public"))),
            ("`javascript`<Store>.get", Some(("javascript", "<Store>.get"))),
            ("`when`", None),
            ("sql", None),
            ("`sql", None),
            ("", None),
        ] {
            assert_eq!(embedded_language(text), expected, "{text}");
        }
        assert_eq!(without_language("`sql`public"), "public");
        assert_eq!(without_language("Store"), "Store");
    }

    #[test]
    fn operations_and_fragments_in_strings_are_declarations() {
        let text = "import { USER_PARTS } from './parts'\n\nexport const GET_USER = gql`\n  query GetUser($id: ID!) {\n    \
                    user(id: $id) {\n      ...UserParts\n    }\n  }\n  ${USER_PARTS}\n`\n";
        let Some(file) = chunked("typescript", text) else { return };
        assert!(declared(&file).contains(&("`graphql`", "GetUser")), "{:?}", declared(&file));
        assert_eq!(marked(&file), [(ReferenceKind::Call, "UserParts", "`graphql`")]);
        let operation = file.declarations.iter().find(|one| one.name == "GetUser").unwrap();
        assert_eq!((operation.span.start_line, operation.span.end_line, operation.name_line), (4, 8, 4));
    }

    #[test]
    fn statements_in_strings_refer_to_tables() {
        use ReferenceKind::Type;
        for (language, text, expected) in [
            (
                "rust",
                "fn find(id: i64) {\n    sqlx::query_as!(User, \"select u.id from users u join teams t on t.id = u.team where u.id = $1\", id)\n}\n",
                &["teams", "users"][..],
            ),
            (
                "python",
                "def all(db):\n    return db.execute(\n        \"SELECT id \"\n        \"FROM users WHERE name = %s\"\n    )\n",
                &["users"],
            ),
            ("python", "def f(db, t):\n    db.execute(f\"DELETE FROM {t} WHERE id = 1\")\n", &[]),
            ("python", "def f(db):\n    db.execute(\"DELETE FROM users WHERE id = :id\")\n", &["users"]),
            (
                "go",
                "package a\n\nfunc f() {\n\tdb.Exec(`WITH recent AS (SELECT id FROM orders)\n\tUPDATE users SET a = 1 WHERE id IN (SELECT id FROM recent)`)\n}\n",
                &["orders", "users"],
            ),
            ("java", "class A {\n  String q = \"INSERT INTO users (id) VALUES (?)\";\n}\n", &["users"]),
            ("ruby", "def f\n  execute <<~SQL\n    select * from users\n  SQL\nend\n", &["users"]),
            (
                "php",
                "<?php\nfunction f($db) { return $db->query(\"SELECT * FROM users WHERE id = $id\"); }\n",
                &["users"],
            ),
            (
                "typescript",
                "const rows = await sql<User[]>`select * from users where id = ${id}`\n",
                &["users"],
            ),
            (
                "c-sharp",
                "class A {\n  void F() { db.Query<User>(@\"SELECT * FROM users\"); }\n}\n",
                &["users"],
            ),
            ("kotlin", "fun f() { db.execute(\"\"\"SELECT * FROM users\"\"\") }\n", &["users"]),
            ("java", "class A {\n  String q = \"SELECT * FROM \\\"users\\\" u\";\n}\n", &["users"]),
            ("python", "print(\"select a file from the list\")\n", &[]),
        ] {
            let Some(file) = chunked(language, text) else { continue };
            let expected: Vec<_> = expected.iter().map(|name| (Type, *name, "`sql`")).collect();
            assert_eq!(marked(&file), expected, "{text}");
        }
    }

    #[test]
    fn a_table_in_a_string_is_a_declaration() {
        let text = "SCHEMA = '''\nCREATE TABLE users (\n    id INTEGER PRIMARY KEY\n);\nCREATE INDEX by_name ON users (name);\n'''\n";
        let Some(file) = chunked("python", text) else { return };
        let tables = declared(&file).into_iter().filter(|one| one.0 == "`sql`").collect::<Vec<_>>();
        assert_eq!(tables, [("`sql`", "users"), ("`sql`", "by_name")]);
    }

    #[test]
    fn what_follows_a_table_belongs_to_its_own_class() {
        let sql = "db.execute(\"CREATE TABLE cats (age int, name text)\")";
        for (language, text) in [
            ("java", format!("class A {{\n  void one() {{ {sql}; }}\n  void two() {{ }}\n}}\n")),
            ("c-sharp", format!("class A {{\n  void one() {{ {sql}; }}\n  void two() {{ }}\n}}\n")),
            (
                "python",
                format!("class A:\n    def one(self):\n        {sql}\n\n    def two(self):\n        pass\n"),
            ),
            ("ruby", format!("class A\n  def one\n    {sql}\n  end\n\n  def two\n  end\nend\n")),
        ] {
            let Some(file) = chunked(language, &text) else { return };
            let depth = |one: &Declaration| {
                let up = |one: &Declaration| one.parent.and_then(|at| file.declarations.get(at as usize));
                std::iter::successors(up(one), |one| up(one)).count()
            };
            let found: Vec<_> = file.declarations.iter().map(|one| (one.name.as_str(), depth(one))).collect();
            let expected = [("A", 0), ("one", 1), ("cats", 2), ("age", 3), ("name", 3), ("two", 1)];
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_name_that_the_program_puts_in_declares_nothing() {
        for text in [
            "S = f'CREATE TABLE {name} (id INTEGER PRIMARY KEY)'\n",
            "S = 'CREATE TABLE %s (id INTEGER PRIMARY KEY)' % name\n",
        ] {
            let Some(file) = chunked("python", text) else { return };
            assert!(declared(&file).iter().all(|one| one.0 != "`sql`"), "{:?}", declared(&file));
        }
        let Some(file) =
            chunked("java", "class A {\n  String q = \"CREATE TABLE \\\"users\\\" (id INT)\";\n}\n")
        else {
            return;
        };
        assert!(declared(&file).contains(&("`sql`", "users")), "{:?}", declared(&file));
    }

    #[test]
    fn a_use_beside_a_table_of_its_name_stays() {
        let text = "from a import users\n\ndef f(db):\n    db.execute(\"SELECT * FROM users\")\n    return len(users)\n";
        let Some(file) = chunked("python", text) else { return };
        let uses = file.references.iter().filter(|one| one.kind == ReferenceKind::Use && one.name == "users");
        assert_eq!(uses.count(), 1);
    }

    #[test]
    fn many_hostile_strings_share_one_budget() {
        let statement = format!("x = \"SELECT a FROM {}\"\n", "(SELECT a FROM (".repeat(60));
        let text: String = (0..900).map(|at| statement.replace("a FROM", &format!("a{at} FROM"))).collect();
        let Some(file) = chunked("python", &text) else { return };
        assert_eq!(file.n_lines, 900);
    }
}

//! Fixtures of pytest: a parameter of a test, or of a fixture, names the fixture that it gets
//! (<https://docs.pytest.org/en/stable/explanation/fixtures.html>).
//!
//! Each such parameter is a use behind the qualifier [`FIXTURE_QUALIFIER`]. A fixture says that it
//! is one, because only the graph knows which of several a test sees.

use crate::base::text::words;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{FIXTURE_ALIAS, FIXTURE_QUALIFIER, Mention, OUTER_FIXTURE_ALIAS};
use crate::index::chunk::table::MentionRule;
use std::borrow::Cow;
use tree_sitter::Node;

/// Begins the name of a test.
const TEST: &str = "test";

/// Decorators that make a function a fixture, without their module.
const DECORATORS: [&str; 2] = ["fixture", "yield_fixture"];

/// The parameters of tests.
pub(super) const TESTS: MentionRule = MentionRule { node: "function_definition", read: test };

/// Fixtures and their parameters.
pub(super) const FIXTURES: MentionRule = MentionRule { node: "decorated_definition", read: fixture };

/// The fixtures that a decorator names (`@pytest.mark.usefixtures("database")`).
pub(super) const USED: MentionRule = MentionRule { node: "decorator", read: used };

fn test<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    if !name_of(text, node).starts_with(TEST) {
        return;
    }
    let around = node.parent().filter(|around| around.kind() == "decorated_definition");
    let decorators = around.and_then(|around| text.get(around.start_byte()..node.start_byte()));
    parameters(text, node, decorators.unwrap_or_default(), found);
}

fn fixture<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(function) = node.child_by_field_name("definition").filter(|one| one.kind() == TESTS.node) else {
        return;
    };
    let mut cursor = node.walk();
    let decorators = node.named_children(&mut cursor).filter(|one| one.kind() == USED.node);
    let mark = decorators.filter_map(|one| word_of(text, one)).find(|word| DECORATORS.contains(word));
    let name = name_of(text, function);
    let (Some(mark), false) = (mark, name.is_empty()) else { return };
    let decorators = text.get(node.start_byte()..function.start_byte()).unwrap_or_default();
    // `@pytest.fixture(name="client")` gives it another name.
    if !words(decorators, "name").any(|at| decorators.get(at + 4..).is_some_and(is_value)) {
        let at = offset(node.start_byte());
        let given = Mention::new(at, ReferenceKind::Gives, mark, Cow::Borrowed(FIXTURE_QUALIFIER));
        found.push(Mention { alias: Cow::Owned(format!("{FIXTURE_ALIAS}{name}")), ..given });
    }
    if !name.starts_with(TEST) {
        parameters(text, function, decorators, found);
    }
}

fn used<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let arguments = node.named_child(0).and_then(|call| call.child_by_field_name("arguments"));
    let Some(arguments) = arguments.filter(|_| word_of(text, node) == Some("usefixtures")) else { return };
    let mut cursor = arguments.walk();
    for string in arguments.named_children(&mut cursor).filter(|one| one.kind() == "string") {
        let content = string.named_children(&mut string.walk()).find(|one| one.kind() == "string_content");
        found.extend(content.and_then(|content| use_of(text, content)));
    }
}

/// Most parameters of a function that are looked at.
const MAX_PARAMETERS: usize = 256;

/// Adds the parameters of a function that are fixtures: those without a default. One that a
/// decorator names gets its value from there (`@pytest.mark.parametrize("size", …)`).
fn parameters<'t>(text: &'t str, function: Node<'_>, decorators: &str, found: &mut Vec<Mention<'t>>) {
    let Some(list) = function.child_by_field_name("parameters") else { return };
    let own = name_of(text, function);
    let mut cursor = list.walk();
    for parameter in list.named_children(&mut cursor).take(MAX_PARAMETERS) {
        let name = match parameter.kind() {
            "identifier" => Some(parameter),
            "typed_parameter" => parameter.named_child(0).filter(|one| one.kind() == "identifier"),
            _ => None,
        };
        let Some(mut one) = name.and_then(|name| use_of(text, name)) else { continue };
        if matches!(&*one.name, "self" | "cls") || words(decorators, &one.name).next().is_some() {
            continue;
        }
        if one.name == own {
            one.alias = Cow::Borrowed(OUTER_FIXTURE_ALIAS);
        }
        found.push(one);
    }
}

/// Returns the use of the fixture that a node names.
fn use_of<'t>(text: &'t str, node: Node<'_>) -> Option<Mention<'t>> {
    let name = text.get(node.byte_range()).filter(|name| identifiers::is_plain(name))?;
    let at = offset(node.start_byte());
    Some(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed(FIXTURE_QUALIFIER)))
}

/// Returns the name of a function.
fn name_of<'t>(text: &'t str, function: Node<'_>) -> &'t str {
    let name = function.child_by_field_name("name");
    name.and_then(|name| text.get(name.byte_range())).unwrap_or_default()
}

/// Returns the last word of a decorator's name.
pub(super) fn word_of<'t>(text: &'t str, decorator: Node<'_>) -> Option<&'t str> {
    let written = text.get(decorator.byte_range())?.trim_start_matches('@');
    let name = written.split('(').next().unwrap_or(written).trim();
    name.rsplit('.').next()
}

/// Returns whether a text begins with the sign in front of an argument's value.
fn is_value(text: &str) -> bool {
    text.trim_start().strip_prefix('=').is_some_and(|rest| !rest.starts_with('='))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    #[test]
    fn parameters_of_tests_and_fixtures_are_uses_of_fixtures() {
        for (text, expected) in [
            ("def test_a(client, b: B, c=1):\n    pass\n", &["b", "client"][..]),
            ("class TestA:\n    def test_a(self, client):\n        pass\n", &["client"]),
            ("@pytest.mark.parametrize(\"size\", [1])\ndef test_a(size, client):\n    pass\n", &["client"]),
            ("@pytest.fixture\ndef client(app):\n    pass\n", &["app", "fixture: client"]),
            (
                "@fixture(scope='module')\ndef client(client):\n    pass\n",
                &["client (outer)", "fixture: client"],
            ),
            ("@pytest.fixture(name='client')\ndef make(app):\n    pass\n", &["app"]),
            ("@pytest.mark.usefixtures('db')\ndef test_a():\n    pass\n", &["db"]),
            ("def attest(client):\n    pass\n", &[]),
        ] {
            let file = chunk(Language::from_name("python").unwrap(), text, &ChunkOptions::default());
            let found = file.references.iter().filter(|one| one.qualifier == FIXTURE_QUALIFIER);
            let mut found: Vec<String> = found
                .map(|one| match one.alias.strip_prefix(FIXTURE_ALIAS) {
                    Some(name) => format!("fixture: {name}"),
                    None if one.alias.is_empty() => one.name.clone(),
                    None => format!("{} (outer)", one.name),
                })
                .collect();
            found.sort();
            assert_eq!(found, expected, "{text}");
        }
    }
}

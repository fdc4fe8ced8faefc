//! Methods of Ruby that a symbol or a string names: `before_action :load` → a call of `load`.
//!
//! A symbol names a method of the class around, or of its supertypes. A route of Rails names a
//! class and its method (`"login#index"`).

use crate::base::text::identifier::in_pascal_case;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::MentionRule;
use crate::index::chunk::types::SOME;
use std::borrow::Cow;
use tree_sitter::Node;

/// Calls without a receiver.
pub(super) const CALL: MentionRule = MentionRule { node: "call", read: named };

/// Calls whose symbols name methods, besides callbacks.
const NAMING: [&str; 5] = ["alias_method", "helper_method", "rescue_from", "set_callback", "validate"];

/// What the name of a callback begins with.
const CALLBACKS: [&str; 8] =
    ["after_", "append_", "around_", "before_", "prepend_", "skip_after_", "skip_around_", "skip_before_"];

/// Options of any declaring call whose symbols name methods.
const CONDITIONS: [&str; 2] = ["if", "unless"];

/// Options of a call in [`NAMING`] or of a callback whose symbols name methods.
const OPTIONS: [&str; 3] = ["except", "only", "with"];

/// Calls that declare a route.
const ROUTES: [&str; 8] = ["delete", "get", "match", "patch", "post", "put", "resources", "root"];

/// Most arguments of a call that are read.
const MAX_ARGUMENTS: usize = 32;

/// Adds the methods that the arguments of a call name.
fn named<'t>(text: &'t str, call: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let Some(arguments) = call.child_by_field_name("arguments") else { return };
    let word = call.child_by_field_name("method").map(written).unwrap_or_default();
    let receiver = call.child_by_field_name("receiver").map(written);
    passed(text, word, receiver, arguments, found);
    if receiver.is_some() {
        return;
    }
    let is_callback = CALLBACKS.iter().any(|begin| word.starts_with(begin));
    let names = NAMING.contains(&word) || is_callback;
    let mut cursor = arguments.walk();
    for (at, argument) in arguments.named_children(&mut cursor).enumerate().take(MAX_ARGUMENTS) {
        if argument.kind() != "pair" {
            // The first name of an alias is a new one.
            if names && (word != "alias_method" || at > 0) {
                symbols(text, argument, found);
            }
            continue;
        }
        let (Some(key), Some(value)) = (argument.named_child(0), argument.named_child(1)) else { continue };
        let option = written(key).trim_matches(':');
        if CONDITIONS.contains(&option) || names && OPTIONS.contains(&option) {
            symbols(text, value, found);
        } else if ROUTES.contains(&word) && (option == "to" || key.kind() == "string") {
            route(text, value, found);
        }
    }
}

/// Adds a method that is passed on: `map(&:total)`, of unknown objects, and `method(:add)`.
fn passed<'t>(
    text: &'t str,
    word: &str,
    receiver: Option<&'t str>,
    arguments: Node<'_>,
    found: &mut Vec<Mention<'t>>,
) {
    let Some(last) = step(arguments, "#-1") else { return };
    let (symbol, qualifier) = match last.kind() {
        "block_argument" => (last.named_child(0), SOME),
        "simple_symbol" if word == "method" && arguments.named_child_count() == 1 => {
            let object = receiver.unwrap_or("self");
            (Some(last), if identifiers::is_plain(object) { object } else { SOME })
        }
        _ => return,
    };
    let Some(symbol) = symbol.filter(|one| one.kind() == "simple_symbol") else { return };
    let name = text.get(symbol.byte_range()).and_then(|symbol| symbol.strip_prefix(':'));
    if let Some(name) = name {
        let at = offset(symbol.start_byte() + 1);
        found.push(Mention::new(at, ReferenceKind::Call, name, Cow::Borrowed(qualifier)));
    }
}

/// Adds the methods that a symbol or a list of symbols names.
fn symbols<'t>(text: &'t str, value: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut add = |symbol: Node<'_>| {
        let name = text.get(symbol.byte_range()).and_then(|symbol| symbol.strip_prefix(':'));
        if let Some(name) = name.filter(|_| symbol.kind() == "simple_symbol") {
            let at = offset(symbol.start_byte() + 1);
            found.push(Mention::new(at, ReferenceKind::Call, name, Cow::Borrowed("self")));
        }
    };
    if value.kind() == "array" {
        let mut cursor = value.walk();
        value.named_children(&mut cursor).take(MAX_ARGUMENTS).for_each(add);
    } else {
        add(value);
    }
}

/// Adds the method of a controller that a route names: `"admin/login#index"`.
fn route<'t>(text: &'t str, value: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = text.get(value.byte_range()).unwrap_or_default();
    let inner = written.trim_matches(['"', '\'']);
    let Some((path, method)) = inner.split_once('#').filter(|_| value.kind() == "string") else { return };
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    if path.split('/').all(is_name) && is_name(method) {
        let classes: Vec<String> = path.split('/').map(|one| in_pascal_case(one, '_')).collect();
        let controller = format!("{}Controller", classes.join("::"));
        let at = offset(value.start_byte() + written.find('#').map_or(0, |at| at + 1));
        found.push(Mention::new(at, ReferenceKind::Call, method, Cow::Owned(controller)));
    }
}

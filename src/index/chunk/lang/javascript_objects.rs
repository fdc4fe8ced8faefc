//! Members of JavaScript's objects and classes, and functions and classes that are values.
//!
//! An object is what its code makes of it: `app.init = function () {…}` and `{ Query: { user() {…}
//! } }` declare members without a class. `javascript` owns the table and all other rules.

use crate::index::chunk::node::range;
use crate::index::chunk::table::DeclarationCandidate;
use crate::index::chunk::{ByteRange, DeclarationKind as K};
use tree_sitter::Node;

/// Objects that own nothing: what is assigned to them is known without them.
const NO_OWNERS: [&str; 7] = ["exports", "global", "globalThis", "module", "self", "this", "window"];

/// Assigns the member that `target` names to its object: `a` of `a.b` and of `a.prototype.b`. In a
/// function or a value, the object may be any, so there the member has no owner.
pub(super) fn assign<'tree>(text: &str, target: Node<'tree>, found: &mut DeclarationCandidate<'tree>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let Some(mut owner) = target.child_by_field_name("object") else { return };
    let is_prototype =
        owner.child_by_field_name("property").is_some_and(|property| of(property) == "prototype");
    let is_local = match found.within {
        None | Some(K::Module) => false,
        Some(K::Function | K::Method | K::Constructor | K::Test) => true,
        Some(_) => !is_prototype,
    };
    if is_local {
        return;
    }
    if let Some(object) = owner.child_by_field_name("object").filter(|_| is_prototype) {
        owner = object;
    }
    let written = of(owner);
    if !matches!(owner.kind(), "identifier" | "member_expression")
        || NO_OWNERS.contains(&written)
        || written == "module.exports"
    {
        return;
    }
    found.owner = Some(owner);
    let first = written.split('.').next().unwrap_or_default();
    let path = owner.child_by_field_name("object").filter(|_| !NO_OWNERS.contains(&first));
    found.path = path.map(range);
}

/// Accepts methods. One that a symbol names is called as it is written: `[Symbol.iterator]`.
pub(super) fn method<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    assign_mixed_in(text, node, found);
    found.name_bytes = found.name.and_then(|name| symbol(text, name));
    found.name.is_some()
}

/// Functions that copy the members of objects to their first argument.
const COPIES: [&str; 8] = [
    "$.extend",
    "Object.assign",
    "Object.defineProperties",
    "_.assign",
    "_.assignIn",
    "_.extend",
    "jQuery.extend",
    "extend",
];

/// Assigns a member to the type that it is copied to: `Object.assign(A.prototype, { b() {…} })`.
fn assign_mixed_in<'tree>(text: &str, member: Node<'tree>, found: &mut DeclarationCandidate<'tree>) {
    if found.around != ["object", "arguments"] {
        return;
    }
    let list = member.parent().and_then(|object| object.parent());
    let Some((list, call)) = list.and_then(|list| Some((list, list.parent()?))) else { return };
    let function = call.child_by_field_name("function").and_then(|function| text.get(function.byte_range()));
    let first = list.named_child(0).filter(|_| function.is_some_and(|one| COPIES.contains(&one)));
    if let Some(first) = first.filter(|first| first.end_byte() < member.start_byte()) {
        found.owner = owner(text, first);
    }
}

/// Returns the type that an expression names: `A` of `A` and of `A.prototype`.
fn owner<'tree>(text: &str, node: Node<'tree>) -> Option<Node<'tree>> {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    match node.kind() {
        "identifier" => Some(node).filter(|node| of(*node).starts_with(char::is_uppercase)),
        "member_expression" => {
            let is_prototype = node.child_by_field_name("property").is_some_and(|one| of(one) == "prototype");
            node.child_by_field_name("object").filter(|one| is_prototype && one.kind() == "identifier")
        }
        _ => None,
    }
}

/// Accepts a property that `Object.defineProperty(A.prototype, "b", {…})` defines for a type.
pub(super) fn defined_property<'tree>(
    text: &str,
    node: Node<'tree>,
    found: &mut DeclarationCandidate<'tree>,
) -> bool {
    let arguments = node.child_by_field_name("arguments");
    let Some(first) = arguments.and_then(|list| list.named_child(0)) else { return false };
    found.name = arguments.and_then(|list| list.named_child(1)).filter(|name| name.kind() == "string");
    found.kind = K::Field;
    found.owner = owner(text, first);
    found.owner.is_some() && found.name.is_some()
}

/// Returns the value of a property of an object.
pub(super) fn property<'tree>(text: &str, object: Node<'tree>, key: &str) -> Option<Node<'tree>> {
    let mut cursor = object.walk();
    let is_key = |pair: &Node<'_>| {
        let name = pair.child_by_field_name("key").and_then(|name| text.get(name.byte_range()));
        pair.kind() == "pair" && name == Some(key)
    };
    let pair = object.named_children(&mut cursor).find(is_key);
    pair.and_then(|pair| pair.child_by_field_name("value"))
}

/// Returns the bytes of a name that is a symbol in brackets.
fn symbol(text: &str, name: Node<'_>) -> Option<ByteRange> {
    let written = text.get(name.byte_range())?;
    let is_symbol = name.kind() == "computed_property_name" && written.starts_with("[Symbol.");
    is_symbol.then(|| range(name))
}

/// Accepts fields that hold a function, and constants of a class.
pub(super) fn field(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    if member(text, found) {
        return true;
    }
    let Some(name) = found.name.filter(|_| found.body.is_some()) else { return false };
    let before = text.get(node.start_byte()..name.start_byte()).unwrap_or_default();
    let has = |word: &str| before.split_whitespace().any(|one| one == word);
    let name = text.get(name.byte_range()).unwrap_or_default();
    let is_upper = name.len() > 1 && !name.contains(char::is_lowercase) && name.contains(char::is_uppercase);
    found.kind = K::Constant;
    has("static") && (has("readonly") || is_upper)
}

/// Accepts what holds a function.
fn member(text: &str, found: &mut DeclarationCandidate<'_>) -> bool {
    let function = found.body.and_then(|value| function_body(value).or_else(|| wrapped(text, value)));
    match function {
        Some((K::Function, body)) => {
            (found.kind, found.body) = (K::Method, body);
            true
        }
        _ => false,
    }
}

/// Returns the body of a function of several lines that another one wraps: `debounce(() => {…})`.
fn wrapped<'tree>(text: &str, value: Node<'tree>) -> Option<(K, Option<Node<'tree>>)> {
    let function = value.child_by_field_name("function").filter(|_| value.kind() == "call_expression")?;
    let written = text.get(function.byte_range())?;
    let is_known = function.kind() == "identifier" || written.starts_with("_.");
    let first = value.child_by_field_name("arguments").filter(|_| is_known)?.named_child(0)?;
    function_body(first).filter(|_| is_long(text, first))
}

/// Accepts properties of an object that hold a function or an object with methods. A function in
/// one line counts if the object is the value of a declaration: in arguments and inside of
/// functions, such functions are mostly settings. But a function may return the object, or a known
/// function may make something of it.
pub(super) fn pair<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.name.is_none_or(|name| !matches!(name.kind(), "property_identifier" | "string")) {
        return false;
    }
    let is_function = found.body.is_some_and(is_function);
    let counts = is_long(text, node) || is_function && has_short_members(text, node, found);
    if counts && member(text, found) {
        assign_mixed_in(text, node, found);
        return true;
    }
    group(text, node, found)
}

fn is_function(value: Node<'_>) -> bool {
    function_body(value).is_some_and(|(kind, _)| kind == K::Function)
}

/// Most objects around a property that are left.
const MAX_OBJECTS: usize = 16;

/// Returns whether functions in one line count in the object of a property. Finding the nodes
/// around it takes time, so this is asked last.
fn has_short_members(text: &str, pair: Node<'_>, found: &DeclarationCandidate<'_>) -> bool {
    let is_local = matches!(found.within, Some(K::Function | K::Method | K::Constructor | K::Test));
    let around = std::iter::successors(pair.parent(), Node::parent).take(MAX_OBJECTS);
    let mut around = around.skip_while(|one| {
        let words = ["object", "pair", "parenthesized_expression", "satisfies_expression", "as_expression"];
        words.contains(&one.kind())
    });
    let is_value = |one: Node<'_>| {
        matches!(
            one.kind(),
            "variable_declarator" | "assignment_expression" | "export_statement" | "field_definition"
        ) || one.kind() == "public_field_definition"
    };
    match around.next() {
        Some(one) if one.kind() == "return_statement" => true,
        _ if is_local => false,
        // What a call makes of the object is declared: `Model.extend({…})`.
        Some(one) if one.kind() == "arguments" => {
            let call = around.next();
            call.is_some_and(|call| is_maker(text, call)) || around.next().is_some_and(is_value)
        }
        one => one.is_some_and(is_value),
    }
}

/// Last words of functions that make members of the functions of an object, or a type of it.
const MAKERS: [&str; 16] = [
    "Component",
    "Polymer",
    "assign",
    "component",
    "create",
    "createClass",
    "declare",
    "define",
    "defineProperties",
    "directive",
    "extend",
    "helpers",
    "methods",
    "mixin",
    "publish",
    "reopen",
];

fn is_maker(text: &str, call: Node<'_>) -> bool {
    let function = call.child_by_field_name("function").and_then(|function| text.get(function.byte_range()));
    function.is_some_and(|name| MAKERS.contains(&name.rsplit('.').next().unwrap_or_default()))
}

/// Makes a property whose value is an object with methods a field, which these belong to.
fn group(text: &str, pair: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.kind = K::Field;
    let Some(object) = found.body.filter(|value| value.kind() == "object") else { return false };
    let mut cursor = object.walk();
    let mut has_short = false;
    let has_long = object.named_children(&mut cursor).any(|one| match one.kind() {
        "method_definition" => true,
        "pair" if one.child_by_field_name("value").is_some_and(is_function) => {
            has_short = true;
            is_long(text, one)
        }
        _ => false,
    });
    has_long || has_short && has_short_members(text, pair, found)
}

/// Accepts methods of types, but not those of an object type that a parameter or a result has:
/// `(on: { done(): void }) => void`.
pub(super) fn signature(_: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    if found.around != ["object_type", "type_annotation"] {
        return true;
    }
    let place = std::iter::successors(node.parent(), Node::parent).nth(2);
    place.is_none_or(|place| {
        matches!(place.kind(), "property_signature" | "public_field_definition" | "variable_declarator")
    })
}

/// Returns whether a node has several lines.
fn is_long(text: &str, node: Node<'_>) -> bool {
    text.get(node.byte_range()).is_some_and(|all| all.contains('\n'))
}

/// Accepts functions and classes that are values and that no variable or property is called after:
/// the one that a module exports by default, and those with a name that a function receives. A
/// class with a name may stand anywhere else, too.
pub(super) fn value(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let is_class = node.kind() == "class";
    match found.around[0] {
        "export_statement" if found.name.is_none() => {
            if !is_class && holds_functions(text, node) {
                return false;
            }
            let word = node.prev_sibling().filter(|word| word.kind() == "default");
            found.name_bytes = word.map(range);
            found.name_bytes.is_some()
        }
        "variable_declarator"
        | "assignment_expression"
        | "pair"
        | "field_definition"
        | "public_field_definition" => false,
        // `export default isOpen && function open() {…}`
        "binary_expression" if found.around[1] == "export_statement" => {
            let is_last = node.next_sibling().is_none();
            if is_last && found.name.is_none() && !holds_functions(text, node) {
                found.name_bytes = default_word(node);
            }
            is_last && (found.name.is_some() || found.name_bytes.is_some())
        }
        "arguments" => found.name.is_some() && (is_class || is_long(text, node)),
        _ => found.name.is_some() && is_class,
    }
}

/// Returns the word `default` in front of the expression around a value.
fn default_word(value: Node<'_>) -> Option<ByteRange> {
    let word = value.parent()?.prev_sibling()?;
    Some(range(word)).filter(|_| word.kind() == "default")
}

/// Returns whether there are functions in a function. A module that exports such a one by default
/// declares them: `export default (app) => { app.open = () => {…} }`.
fn holds_functions(text: &str, function: Node<'_>) -> bool {
    let body = function.child_by_field_name("body").and_then(|body| text.get(body.byte_range()));
    body.is_some_and(|body| body.contains("=>") || body.contains("function"))
}

/// Returns kind and body if a value makes its variable, property or field a function or a class.
pub(super) fn function_body<'tree>(value: Node<'tree>) -> Option<(K, Option<Node<'tree>>)> {
    match value.kind() {
        "arrow_function" | "function_expression" | "generator_function" => {
            Some((K::Function, value.child_by_field_name("body")))
        }
        "class" => Some((K::Class, value.child_by_field_name("body"))),
        _ => None,
    }
}

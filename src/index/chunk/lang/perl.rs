//! Perl.
//!
//! A package goes on to the next one. It is a class if its code has an object, and a module of
//! functions otherwise. What a package uses and inherits is written in statements of many forms,
//! which functions here read from the text. The documentation above a function is a block of POD.

use super::perl_imports::{
    ASSIGNED, CLASS, IMPORTED, INHERITED, INHERITED_IN_PARENTHESES, REQUIRED, ROLE, is_name,
};
use crate::base::text::head;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::parts::{MAX_PARTS, in_field};
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, MentionRule, Path, Scope, Table, TypeRule, Values,
    WrapperRule,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Perl's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("package_statement", K::Module).body(&["@block"]).goes_on().refine(package),
        DeclarationRule::new("class_statement", K::Class).body(&["@block"]).goes_on(),
        DeclarationRule::new("role_statement", K::Interface).body(&["@block"]).goes_on(),
        DeclarationRule::new("subroutine_declaration_statement", K::Function).refine(function),
        DeclarationRule::new("method_declaration_statement", K::Method).refine(function),
        DeclarationRule::new("use_statement", K::Constant).parts(listed).body(&[]).refine(constant),
        DeclarationRule::new("assignment_expression", K::Variable)
            .parts(assigned)
            .body(&["right"])
            .refine(variable),
        DeclarationRule::new("variable_declaration", K::Variable)
            .parts(variables)
            .body(&[])
            .scope(Scope::Outside)
            .refine(variable),
        DeclarationRule::new("ambiguous_function_call_expression", K::Field)
            .parts(arguments)
            .body(&[])
            .scope(Scope::Outside)
            .refine(attribute),
        DeclarationRule::new("function_call_expression", K::Field)
            .parts(arguments)
            .body(&[])
            .scope(Scope::Outside)
            .refine(attribute),
    ],
    wrappers: &[WrapperRule::new("expression_statement")],
    comments: &["comment", "pod"],
    detached: &["#!"],
    heads: &["use_statement", "use_version_statement"],
    calls: &[
        Call::new("function_call_expression", "function").word(),
        Call::new("ambiguous_function_call_expression", "function").word(),
        Call::new("method_call_expression", "").word(),
    ],
    words: WORDS,
    paths: &[
        // Their text is the whole path.
        Path::new("package", "", ""),
        Path::new("function", "", ""),
        Path::new("method", "", ""),
        Path::new("method_call_expression", "invocant", "method"),
    ],
    strings: &["string_literal", "interpolated_string_literal"],
    texts: &["heredoc_content"],
    // A string without interpolation, and what stands behind `__END__`.
    opaque: &["string_literal", "quoted_word_list", "data_section", "format_content"],
    unnamed: &["anonymous_subroutine_expression", "anonymous_method_expression"],
    typed: &[TypeRule::assigned("assignment_expression", "left/variable", &["right"])],
    values: Values { makers: &["new"], ..Values::NONE },
    leaves: &["bareword", "varname"],
    marks: &["->", "::"],
    mentions: &[
        ASSIGNED,
        CLASS,
        IMPORTED,
        INHERITED,
        INHERITED_IN_PARENTHESES,
        REQUIRED,
        ROLE,
        PASSED,
        SORTED,
        variable_in("scalar"),
        variable_in("array"),
        variable_in("hash"),
        variable_in("container_variable"),
        variable_in("slice_container_variable"),
        variable_in("keyval_container_variable"),
        variable_in("arraylen"),
    ],
    has_own_calls: true,
    has_open_types: true,
    has_labels: false,
    // At each quote, it looks for the next one.
    reads: 4,
    mask: Some(closed),
    fits: Some(fits),
    ..Table::new(|| ts_parser_perl::LANGUAGE.into())
};

/// Functions and variables of Perl itself, which nobody declares.
const WORDS: &[&str] = &[
    "ARGV",
    "ARGVOUT",
    "AUTOLOAD",
    "BEGIN",
    "BUILD",
    "CHECK",
    "DESTROY",
    "END",
    "ENV",
    "EXPORT",
    "EXPORT_OK",
    "EXPORT_TAGS",
    "INC",
    "INIT",
    "ISA",
    "SIG",
    "STDERR",
    "STDIN",
    "STDOUT",
    "UNITCHECK",
    "VERSION",
    "__DATA__",
    "__END__",
    "accept",
    "atan2",
    "bind",
    "binmode",
    "bless",
    "connect",
    "crypt",
    "dbmopen",
    "die",
    "dump",
    "exec",
    "fcntl",
    "flock",
    "formline",
    "getpriority",
    "index",
    "ioctl",
    "join",
    "kill",
    "link",
    "listen",
    "mkdir",
    "msgctl",
    "msgget",
    "msgrcv",
    "msgsnd",
    "open",
    "opendir",
    "pack",
    "pipe",
    "print",
    "printf",
    "push",
    "read",
    "recv",
    "rename",
    "return",
    "reverse",
    "rindex",
    "say",
    "seek",
    "seekdir",
    "select",
    "semctl",
    "semget",
    "semop",
    "send",
    "setpgrp",
    "setpriority",
    "setsockopt",
    "shmctl",
    "shmget",
    "shmread",
    "shmwrite",
    "shutdown",
    "socket",
    "socketpair",
    "splice",
    "split",
    "sprintf",
    "substr",
    "symlink",
    "syscall",
    "sysopen",
    "sysread",
    "sysseek",
    "system",
    "syswrite",
    "tie",
    "truncate",
    "unlink",
    "unpack",
    "unshift",
    "utime",
    "vec",
    "waitpid",
    "warn",
    "write",
];

/// Bytes of a package in which an object is looked for.
const MAX_PACKAGE: usize = 64 << 10;

/// Most constants of one statement. A module of constants may have some hundreds.
const MAX_CONSTANTS: usize = 400;

/// Texts that only the code of a class has.
const OBJECTS: [&str; 8] = [
    "$self",
    "bless ",
    "bless(",
    "\nextends ",
    "\nuse Moo",
    "\nuse Mouse",
    "use Mojo::Base -base",
    "use Mojo::Base '",
];

/// Texts that only the code of a role has.
const ROLES: [&str; 4] = ["use Role::Tiny", "use Moo::Role", "use Moose::Role", "use Mojo::Base -role"];

/// Says what a package is. One without a block goes on to the next one.
fn package(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let end = if found.body.is_some() { node.end_byte() } else { text.len() };
    let code = head(text.get(node.start_byte()..end).unwrap_or_default(), MAX_PACKAGE);
    let next = code.get(1..).and_then(|code| code.find("\npackage ")).filter(|_| found.body.is_none());
    let code = next.and_then(|next| code.get(..next + 1)).unwrap_or(code);
    // Documentation may show an object.
    let code = code.find("\n__END__").and_then(|end| code.get(..end)).unwrap_or(code);
    let has = |words: &[&str]| words.iter().any(|word| code.contains(word));
    if has(&ROLES) {
        found.kind = K::Interface;
    } else if has(&OBJECTS) {
        found.kind = K::Class;
    }
    true
}

/// Accepts a function with a body. Its name may say another package: `sub A::B::f {…}`.
fn function(text: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let Some(name) = found.name.filter(|_| found.body.is_some() || found.kind == K::Method) else {
        return false;
    };
    let bytes = range(name);
    let written = bytes.of(text);
    split_path(bytes, written, found);
    // These are blocks that run at a certain time.
    !matches!(written, "BEGIN" | "CHECK" | "END" | "INIT" | "UNITCHECK")
}

/// Splits a name into the package that it says and the rest.
fn split_path(bytes: ByteRange, written: &str, found: &mut DeclarationCandidate<'_>) {
    let at = written.rfind("::").map_or(0, |at| at + 2);
    if at > 0 {
        found.name_bytes = Some(ByteRange { start: bytes.start + offset(at), ..bytes });
        found.path = Some(ByteRange { end: bytes.start + offset(at), ..bytes });
    }
}

/// Returns the first of every two values of a list: `A` and `B` of `A => 1, B => 2`.
fn keys(list: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = list.walk();
    let values = list.named_children(&mut cursor).filter(|child| !child.is_extra());
    values.step_by(2).take(MAX_CONSTANTS).collect()
}

/// Returns the first child that is not a comment.
fn first_value(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| !child.is_extra())
}

/// Returns what a `use` may declare: the name of one constant, those of several, or variables.
fn listed(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(given) = step(node, "#1") else { return Vec::new() };
    match given.kind() {
        "list_expression" => given.named_child(0).into_iter().collect(),
        "anonymous_hash_expression" => match first_value(given) {
            Some(list) if list.kind() == "list_expression" => keys(list),
            _ => Vec::new(),
        },
        _ => vec![given],
    }
}

/// Accepts `use constant`, `use vars` and `use fields`.
fn constant(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let module = node.child_by_field_name("module").and_then(|module| text.get(module.byte_range()));
    found.kind = match module.unwrap_or_default() {
        "constant" => K::Constant,
        "vars" => K::Variable,
        "fields" => K::Field,
        _ => return false,
    };
    // A single word is a constant without a value, or one whose value is in the next line.
    plain_name(text, found)
}

/// Returns the variables that `our $a` and `our ($a, @b)` declare.
fn variables(node: Node<'_>) -> Vec<Node<'_>> {
    let declared = [in_field(node, "variable"), in_field(node, "variables")].concat();
    declared.into_iter().filter_map(|one| step(one, "@varname")).collect()
}

/// Returns what an assignment may declare: variables, or a function at a name (`*f = sub {…}`).
fn assigned(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(left) = node.child_by_field_name("left") else { return Vec::new() };
    match left.kind() {
        "variable_declaration" => variables(left),
        "glob" => step(left, "@varname").into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Accepts variables of a package and of a class, and functions that a name is given.
fn variable(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let name = found.name.and_then(|name| text.get(name.byte_range())).unwrap_or_default();
    if node.kind() == "assignment_expression" && written.starts_with('*') {
        let value = found.body.filter(|value| {
            let function = value.kind() == "refgen_expression" && step(*value, "@function").is_some();
            function || value.kind() == "anonymous_subroutine_expression"
        });
        found.kind = K::Function;
        found.body = value.and_then(|value| value.child_by_field_name("body"));
        let bytes = found.name.map(range).unwrap_or_default();
        split_path(bytes, bytes.of(text), found);
        return value.is_some() && is_name(name.rsplit("::").next().unwrap_or_default());
    }
    let is_inside = found.within.is_some_and(|within| matches!(within, K::Function | K::Method | K::Test));
    // An assignment declares what is on its left.
    if is_inside || node.kind() == "variable_declaration" && found.around[0] == "assignment_expression" {
        return false;
    }
    if written.starts_with("field") {
        found.kind = K::Field;
    } else if !written.starts_with("our") {
        return false;
    }
    is_name(name) && !WORDS.contains(&name)
}

/// Returns the nodes that may be names of attributes or of a test: the first argument, or those in
/// a list of names.
fn arguments(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(given) = node.child_by_field_name("arguments") else { return Vec::new() };
    let Some(first) =
        Some(given).filter(|list| list.kind() != "list_expression").or_else(|| step(given, "#0"))
    else {
        return Vec::new();
    };
    if first.kind() != "anonymous_array_expression" {
        return vec![first];
    }
    let Some(inner) = first_value(first) else { return Vec::new() };
    if inner.kind() != "list_expression" {
        return vec![inner];
    }
    let mut cursor = inner.walk();
    inner.named_children(&mut cursor).filter(|child| !child.is_extra()).take(MAX_PARTS).collect()
}

/// Accepts attributes (`has name => (…)`), tests (`subtest 'name' => sub {…}`), and functions that
/// are made by a call: `helper name => sub {…}` of Mojolicious.
fn attribute<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let function = node.child_by_field_name("function").and_then(|name| text.get(name.byte_range()));
    let list = node.child_by_field_name("arguments");
    let last = list.and_then(|list| step(list, "#-1"));
    let code = last.filter(|last| last.kind() == "anonymous_subroutine_expression");
    let code = code.and_then(|code| code.child_by_field_name("body"));
    match function.unwrap_or_default() {
        "has" => found.body = code,
        "subtest" | "describe" | "it" | "they" => {
            (found.kind, found.body) = (K::Test, code);
            let is_text = found.name.is_some_and(|name| TABLE.strings.contains(&name.kind()));
            return is_text && code.is_some();
        }
        "helper" | "fun" | "method" => {
            (found.kind, found.body) = (K::Function, code);
            if code.is_none() {
                return false;
            }
        }
        _ => return false,
    }
    plain_name(text, found)
}

/// Makes a word, a string, or a variable in a list of words the name of a declaration.
fn plain_name(text: &str, found: &mut DeclarationCandidate<'_>) -> bool {
    let bytes = match (found.name_bytes, found.name) {
        (Some(word), _) => word,
        (None, Some(name)) if matches!(name.kind(), "autoquoted_bareword" | "bareword") => range(name),
        (None, Some(name)) if TABLE.strings.contains(&name.kind()) => match step(name, "content") {
            Some(content) => range(content),
            None => return false,
        },
        _ => return false,
    };
    // `+name` changes an inherited attribute, and variables have a sigil.
    let written = bytes.of(text);
    let name = written.trim_start_matches(['$', '@', '%', '&']);
    found.name_bytes = Some(ByteRange { start: bytes.end - offset(name.len()), ..bytes });
    is_name(name)
}

/// Reads a variable of another package: `$My::Shop::total`, `@Other::list`.
const fn variable_in(node: &'static str) -> MentionRule {
    MentionRule { node, read: qualified_variable }
}

fn qualified_variable<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(varname) = step(node, "@varname").filter(|one| one.named_child_count() == 0) else { return };
    let written = text.get(varname.byte_range()).unwrap_or_default();
    let Some((package, name)) = written.rsplit_once("::") else { return };
    if is_name(name) && !package.is_empty() {
        let mention =
            Mention::new(offset(varname.start_byte()), ReferenceKind::Use, name, Cow::Borrowed(package));
        let name_at = offset(varname.end_byte() - name.len());
        found.push(Mention { name_at, ..mention });
    }
}

/// A function that is passed on: `\&total`.
const PASSED: MentionRule = MentionRule {
    node: "refgen_expression",
    read: |text, node, found| {
        if let Some(function) = step(node, "@function") {
            passed_on(text, function, found);
        }
    },
};

/// A function that compares: `sort by_price @all`.
const SORTED: MentionRule = MentionRule {
    node: "sort_expression",
    read: |text, node, found| {
        let callback = node.child_by_field_name("callback");
        if let Some(function) = callback.filter(|one| one.kind() == "function") {
            passed_on(text, function, found);
        }
    },
};

fn passed_on<'t>(text: &'t str, function: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = text.get(function.byte_range()).unwrap_or_default();
    let path = written.trim_start_matches(['&', ' ']);
    let (package, name) = path.rsplit_once("::").unwrap_or(("", path));
    if is_name(name) {
        let at = offset(function.end_byte() - path.len());
        let mention = Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed(package));
        found.push(Mention { name_at: offset(function.end_byte() - name.len()), ..mention });
    }
}

/// Bytes that open a quoted text or a part in braces in one. Each level takes 16 bytes of the
/// scanner's state, which has room for 44; it forgets those beyond, and then reads past its end.
const MAX_LEVELS: usize = 40;

/// Returns whether the scanner can take a text. Interpolations may be nested as deep as its state
/// has room for. In a text document in place (`<<EOT`) with variables, the scanner looks for the
/// end of the line without looking for the end of the text, and would never return.
fn fits(text: &str) -> bool {
    !(is_open(text) || interpolations(text) > MAX_LEVELS)
}

/// Returns whether the last line has no end and may be part of a document in place.
fn is_open(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or_default();
    last.contains(['$', '@', '\\']) && text.contains("<<")
}

/// Returns the depth to which code may be nested in texts: how many `${`, `@{` and the like are
/// open at most.
fn interpolations(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    let mut before = 0;
    let mut levels: Vec<bool> = Vec::new();
    for &byte in text.as_bytes() {
        match byte {
            b'{' | b'[' => {
                let is_code = matches!(before, b'$' | b'@');
                levels.push(is_code);
                depth += usize::from(is_code);
                most = most.max(depth);
            }
            b'}' | b']' => depth -= usize::from(levels.pop().unwrap_or_default()),
            _ => {}
        }
        before = byte;
    }
    most
}

/// Returns the text that the parser sees: one that ends with a line feed where [`fits`] needs it.
fn closed(text: &str) -> Cow<'_, [u8]> {
    let mut seen = Cow::Borrowed(text.as_bytes());
    if is_open(text)
        && let Some(last) = seen.to_mut().last_mut()
    {
        *last = b'\n';
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_in_place_needs_a_last_line() {
        for (text, expected) in [
            ("print <<A;\n$x y", true),
            ("print <<A;\n$x y\n", false),
            ("print <<A;\n$x\nA\n1;", false),
            ("$a = 1", false),
        ] {
            assert_eq!(is_open(text), expected, "{text}");
            assert!(fits(&String::from_utf8_lossy(&closed(text))), "{text}");
        }
    }

    #[test]
    fn code_in_texts_is_not_nested_deeper_than_the_scanner_remembers() {
        for (levels, expected) in [(40, true), (41, false)] {
            let text = format!("{}1{};\n", "\"${\\ ".repeat(levels), "}\"".repeat(levels));
            assert_eq!(fits(&text), expected, "{levels}");
        }
        assert_eq!(interpolations("my %h = ({ a => [$x[0], { b => $$y }] });"), 0);
    }
}

//! CMake.
//!
//! Functions, macros, variables that are set outside of functions, targets and tests are
//! declarations. A target is a module: to link it or to depend on it names it as a type.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{
    DeclarationCandidate, DeclarationRule, MentionRule, Name, Path, Scope, Table,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

const FUNCTION: DeclarationRule = DeclarationRule::new("function_def", K::Function)
    .name(Name::At(&["@function_command", "@argument_list", "@argument"]))
    .body(&["@body"])
    .refine(|_, _, found| {
        found.to_end = true;
        true
    });

/// CMake's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        FUNCTION,
        DeclarationRule {
            node: "macro_def",
            kind: K::Macro,
            name: Name::At(&["@macro_command", "@argument_list", "@argument"]),
            ..FUNCTION
        },
        DeclarationRule::new("normal_command", K::Variable)
            .name(Name::Refined)
            .body(&[])
            .scope(Scope::Outside)
            .refine(command),
    ],
    comments: &["line_comment", "bracket_comment"],
    scopes: &["if_condition", "body"],
    paths: &[Path::new("argument", "", "#0")],
    strings: &["quoted_argument"],
    mentions: &[
        MentionRule { node: "normal_command", read: arguments },
        MentionRule { node: "normal_var", read: variable },
    ],
    ..Table::new(|| tree_sitter_cmake::LANGUAGE.into())
};

/// Returns the name of a command in lower case, as all of its spellings are the same.
fn name_of(text: &str, command: Node<'_>) -> String {
    let name = command.named_child(0).and_then(|name| text.get(name.byte_range()));
    name.unwrap_or_default().to_ascii_lowercase()
}

/// Returns the arguments of a command.
fn arguments_of<'tree>(command: Node<'tree>) -> Vec<Node<'tree>> {
    let Some(list) = command.named_child(1).filter(|list| list.kind() == "argument_list") else {
        return Vec::new();
    };
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|child| child.kind() == "argument").collect()
}

/// Accepts the commands that declare a variable, a target or a test.
fn command<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let name = name_of(text, node);
    let kind = match name.as_str() {
        "set" | "option" | "cmake_dependent_option" => K::Variable,
        "project" | "add_custom_target" | "fetchcontent_declare" | "externalproject_add" => K::Module,
        // Those of CMake, and those that a package adds: `qt_add_executable`,
        // `pybind11_add_module`.
        name if TARGETS.iter().any(|target| is_or_ends_with(name, target)) => K::Module,
        "add_test" => K::Test,
        _ => return false,
    };
    let arguments = arguments_of(node);
    let written = |at: usize| arguments.get(at).and_then(|one| text.get(one.byte_range()));
    let at = usize::from(kind == K::Test && written(0) == Some("NAME"));
    // `set(x)` takes a variable away.
    let is_other = match kind {
        // A command of the project may name its arguments: `my_add_library(NAME core)`.
        K::Module => matches!(written(0), Some("NAME" | "TARGET")),
        K::Variable => arguments.len() < 2 || written(0).is_some_and(|name| name.starts_with("ENV{")),
        _ => false,
    };
    (found.kind, found.name) = (kind, arguments.get(at).copied());
    !is_other
}

/// Commands that add a target. Their names may have a prefix.
const TARGETS: [&str; 3] = ["add_executable", "add_library", "add_module"];

/// Returns whether a command has a name, maybe with a prefix in front.
fn is_or_ends_with(command: &str, name: &str) -> bool {
    command.strip_suffix(name).is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('_'))
}

/// Words between the arguments that are not targets.
const KEYWORDS: [&str; 12] = [
    "PUBLIC",
    "PRIVATE",
    "INTERFACE",
    "debug",
    "optimized",
    "general",
    "LINK_PUBLIC",
    "LINK_PRIVATE",
    "BEFORE",
    "SYSTEM",
    "REUSE_FROM",
    "AFTER",
];

/// Adds the call of a function that a project defines, the files that a command includes, and the
/// targets that it names.
fn arguments<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let name = name_of(text, node);
    if let Some(called) = node.named_child(0).filter(|_| !BUILT_IN.contains(&name.as_str())) {
        let written = text.get(called.byte_range()).unwrap_or_default();
        let at = offset(called.start_byte());
        found.push(Mention::new(at, ReferenceKind::Call, written, Cow::Borrowed("")));
    }
    let all = match name.as_str() {
        "include" | "add_subdirectory" | "find_package" => 1,
        "target_link_libraries" | "add_dependencies" | "target_precompile_headers" => usize::MAX,
        name if name.starts_with("target_") || name == "set_target_properties" => 1,
        "add_library" | "add_executable" => usize::MAX,
        _ => return,
    };
    let mut arguments = arguments_of(node);
    if name.starts_with("add_") && all > 1 && name != "add_dependencies" {
        // `add_library(shop::core ALIAS core)`
        let is_alias = arguments.get(1).and_then(|one| text.get(one.byte_range())) == Some("ALIAS");
        arguments = arguments.split_off(arguments.len().min(if is_alias { 2 } else { usize::MAX }));
    }
    for argument in arguments.into_iter().take(all) {
        let at = offset(argument.start_byte());
        let written = text.get(argument.byte_range()).unwrap_or_default().trim_matches('"');
        if written.is_empty() || written.contains(['$', ' ', ';']) || KEYWORDS.contains(&written) {
            continue;
        }
        let last = written.rsplit('/').next().unwrap_or(written);
        let (kind, name, qualifier) = match name.as_str() {
            "include" | "add_subdirectory" | "find_package" => (ReferenceKind::Import, last, written),
            _ if written.starts_with('-') => continue,
            // `lib::part` is an alias, as a rule of the target `part`.
            _ => {
                let target = written.rsplit("::").next().unwrap_or(written);
                if target != written {
                    found.push(Mention::new(at, ReferenceKind::Type, written, Cow::Borrowed("")));
                }
                (ReferenceKind::Type, target, "")
            }
        };
        if !name.is_empty() {
            found.push(Mention::new(at, kind, name, Cow::Borrowed(qualifier)));
        }
    }
}

/// Adds the variable that `${name}` expands.
fn variable<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(name) = node.named_child(0) else { return };
    let written = text.get(name.byte_range()).unwrap_or_default();
    if !written.contains('$') {
        found.push(Mention::new(offset(name.start_byte()), ReferenceKind::Use, written, Cow::Borrowed("")));
    }
}

/// Commands of CMake itself, which are not calls.
const BUILT_IN: &[&str] = &[
    "add_compile_definitions",
    "add_compile_options",
    "add_custom_command",
    "add_custom_target",
    "add_definitions",
    "add_dependencies",
    "add_executable",
    "add_library",
    "add_link_options",
    "add_subdirectory",
    "add_test",
    "break",
    "cmake_host_system_information",
    "cmake_language",
    "cmake_minimum_required",
    "cmake_parse_arguments",
    "cmake_path",
    "cmake_policy",
    "configure_file",
    "continue",
    "define_property",
    "enable_language",
    "enable_testing",
    "execute_process",
    "export",
    "file",
    "find_file",
    "find_library",
    "find_package",
    "find_path",
    "find_program",
    "get_cmake_property",
    "get_directory_property",
    "get_filename_component",
    "get_property",
    "get_source_file_property",
    "get_target_property",
    "get_test_property",
    "include",
    "include_directories",
    "include_guard",
    "install",
    "link_directories",
    "link_libraries",
    "list",
    "mark_as_advanced",
    "math",
    "message",
    "option",
    "project",
    "return",
    "separate_arguments",
    "set",
    "set_directory_properties",
    "set_property",
    "set_source_files_properties",
    "set_target_properties",
    "set_tests_properties",
    "site_name",
    "source_group",
    "string",
    "target_compile_definitions",
    "target_compile_features",
    "target_compile_options",
    "target_include_directories",
    "target_link_directories",
    "target_link_libraries",
    "target_link_options",
    "target_precompile_headers",
    "target_sources",
    "try_compile",
    "try_run",
    "unset",
    "variable_watch",
];

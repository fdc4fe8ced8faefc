//! Whether a declaration is part of what others may use: a declaration in its text → a
//! [`Visibility`].
//!
//! By the rules of its language, as far as one file tells: `pub` in Rust, a capital letter in Go, a
//! leading underscore in Python, `export` in JavaScript, access modifiers and sections elsewhere.
//! A declaration in a function or in something internal is internal.
//!
//! In some languages, other files have a say: a module may be private itself, and another one may
//! hand its names on. `commit` asks `reach` about that, for the declarations of a changelog only.

mod commit;
mod declaration_text;
mod exports;
mod module_path;
mod reach;
mod section;

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;

use crate::base::text::words;
use crate::index::chunk::{ByteRange, DeclarationKind, embedded_language};

pub(super) use commit::hide_unreachable;
pub(super) use declaration_text::{DeclarationText, SourceText};
pub(super) use exports::ModuleLanguage;

use section::sections;

use super::signature::without_comments;

/// Whether others may use a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// They may.
    Public,
    /// They may not.
    Internal,
    /// The language has no rule that one file tells.
    #[default]
    Unknown,
}

impl Visibility {
    /// Returns its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Unknown => "unknown",
        }
    }
}

/// A declaration with what is around it.
#[derive(Debug, Clone, Copy)]
struct Member<'t> {
    source: SourceText<'t>,
    declared: DeclarationText<'t>,
    around: Option<Container<'t>>,
    /// Where the text that is its own may begin: after its container's signature, and after the
    /// declaration before it.
    least: u32,
    /// Whether the section that it is in is public; `None` if there are no sections before it.
    section: Option<bool>,
}

/// The declaration around another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Container<'t> {
    pub(super) kind: DeclarationKind,
    pub(super) visibility: Visibility,
    pub(super) signature: &'t str,
}

/// The outermost declaration around another, or that one itself: others need its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutermostName {
    /// The modules around it in its file, in Rust.
    pub(super) within: Vec<String>,
    pub(super) name: String,
}

/// Returns for each declaration of a text whether others may use it, as far as its file tells.
pub(super) fn visibilities(source: SourceText<'_>, all: &[DeclarationText<'_>]) -> Vec<Visibility> {
    let sections = sections(source, all);
    let mut found: Vec<Visibility> = Vec::with_capacity(all.len());
    // By container, where its last declaration ends.
    let mut ends: HashMap<Option<u32>, u32> = HashMap::new();
    for (at, one) in all.iter().enumerate() {
        let outer = one.parent.and_then(|parent| Some((all.get(parent as usize)?, parent as usize)));
        let around = outer.map(|(outer, ord)| Container {
            kind: outer.kind,
            visibility: found.get(ord).copied().unwrap_or_default(),
            signature: outer.signature.of(source.text),
        });
        let begun = outer.map_or(0, |(outer, _)| outer.signature.end);
        let last = ends.entry(one.parent).or_insert(begun);
        let start = if one.signature.is_empty() { one.whole.start } else { one.signature.start };
        let section = sections.get(at).copied().flatten();
        let least = Some(*last).filter(|last| *last <= start).unwrap_or_default();
        found.push(visibility(&Member { source, declared: *one, around, least, section }));
        // The next name of the same statement has the same words before it.
        let rest = source.text.get(one.whole.end as usize..).unwrap_or_default();
        if !rest.trim_start().starts_with(',') {
            *last = one.whole.end.max(*last);
        }
    }
    found
}

/// Returns whether others may use members that records leave out, which are in order and directly
/// in one declaration. Each begins with the words before its name.
pub(super) fn member_visibilities(
    source: SourceText<'_>,
    whole: ByteRange,
    around: Option<Container<'_>>,
    members: &[DeclarationText<'_>],
) -> Vec<Visibility> {
    let kind = around.map_or(DeclarationKind::Module, |around| around.kind);
    let empty = ByteRange::default();
    let outer = DeclarationText { name: "", scope: "", kind, parent: None, whole, signature: empty };
    let inner = members.iter().map(|one| DeclarationText { parent: around.map(|_| 0), ..*one });
    let all: Vec<DeclarationText<'_>> = std::iter::once(outer).chain(inner).collect();
    let sections = sections(source, &all);
    let of = |(declared, section): (&DeclarationText<'_>, Option<bool>)| {
        let least = declared.whole.start;
        let found = visibility(&Member { source, declared: *declared, around, least, section });
        let at = declared.whole.end as usize - declared.name.len();
        let before = source.text.get(declared.whole.start as usize..at).unwrap_or_default();
        match source.language {
            // An instance variable.
            "ruby" if before.ends_with('@') => Visibility::Internal,
            // The fields of an alternative have no modifiers.
            "rust" if kind == DeclarationKind::Enum => around.map_or(found, |around| around.visibility),
            // A parameter of a record is a public property.
            "c-sharp" | "java" if before_list(source.text, declared.whole.start) => {
                around.map_or(found, |around| around.visibility)
            }
            _ => found,
        }
    };
    all.iter().zip(sections).skip(1).map(of).collect()
}

/// Returns whether a place begins an item of a list in parentheses.
fn before_list(text: &str, at: u32) -> bool {
    let before = text.get(..at as usize).unwrap_or_default().trim_end();
    let head = before.rsplit(['{', '}', ';']).next().unwrap_or_default();
    head.matches('(').count() > head.matches(')').count()
}

/// Returns whether others may use a declaration. A private module of Rust in the same file is like
/// one that has its own file.
fn visibility(one: &Member<'_>) -> Visibility {
    use DeclarationKind as K;
    let (kind, around) = (one.declared.kind, one.around);
    let is_embedded = embedded_language(one.declared.scope).is_some();
    if is_embedded || matches!(kind, K::Test | K::Section | K::Key | K::Rule | K::Element) {
        return Visibility::Unknown;
    }
    if around.is_some_and(|around| matches!(around.kind, K::Function | K::Method | K::Constructor)) {
        return Visibility::Internal;
    }
    let own = own(one);
    let is_module = |around: &Container<'_>| one.source.language == "rust" && around.kind == K::Module;
    match around.filter(|around| !is_module(around)).map(|around| around.visibility) {
        Some(Visibility::Internal) => Visibility::Internal,
        _ => own,
    }
}

/// Returns what the words of a declaration and its place say.
fn own(member: &Member<'_>) -> Visibility {
    use DeclarationKind as K;
    let Member { source, declared: one, around, section, .. } = *member;
    let raw = before_name(member);
    let head = split(&raw);
    let has = |words: &[&str]| head.iter().any(|word| words.contains(word));
    let of = |is_public: bool| if is_public { Visibility::Public } else { Visibility::Internal };
    let in_interface = around.is_some_and(|around| around.kind == K::Interface);
    let underscored = one.name.starts_with('_') && !(one.name.starts_with("__") && one.name.ends_with("__"));
    match source.language {
        "rust" => match one.kind {
            K::Variant => Visibility::Public,
            K::Implementation => of_implementation(member),
            K::Macro => of(one.whole.of(source.text).contains("macro_export")),
            // Members of a trait and of its implementations have no modifiers.
            _ if in_interface => Visibility::Public,
            _ => match around.filter(is_trait_implementation) {
                Some(around) => around.visibility,
                // `pub(crate)` is another word.
                None => of(raw.split_whitespace().any(|word| word == "pub")),
            },
        },
        "go" => {
            let is_exported = |name: &str| name.chars().next().is_some_and(char::is_uppercase);
            let owner = one.scope.trim_start_matches('*');
            let is_internal = source.path.split('/').rev().skip(1).any(|folder| folder == "internal");
            of(is_exported(one.name) && (owner.is_empty() || is_exported(owner)) && !is_internal)
        }
        "python" => of(!underscored),
        // A variable of a shell script is a detail, unless other programs inherit it.
        "bash" if matches!(one.kind, K::Variable | K::Constant) => of(is_inherited(&head)),
        "dart" | "julia" | "bash" => of(!one.name.starts_with('_')),
        "javascript" | "typescript" | "tsx" | "jsx" => match around {
            Some(around) if around.kind != K::Module => {
                of(!has(&["private", "protected"]) && !one.name.starts_with('#'))
            }
            _ => of(has(&["export", "declare"]) || is_exported_later(member, &head)),
        },
        "java" => of(in_interface && !has(&["private"]) || has(&["public", "protected"])
            // Constants of an enum have no modifiers.
            || one.kind == K::Variant),
        "c-sharp" | "razor" => {
            let is_private = has(&["private"]);
            of(one.kind == K::Module
                || has(&["public"])
                || !is_private && (in_interface || has(&["protected"]) || one.kind == K::Variant))
        }
        "kotlin" | "scala" => {
            of(!has(&["private", "internal"]) && !head.iter().any(|word| word.starts_with("private[")))
        }
        "php" => of(!has(&["private", "protected"])),
        "swift" => of_swift(member, &head),
        "c" => of(!has(&["static"])),
        "objective-c" if source.path.ends_with(".h") => Visibility::Public,
        "objective-c" if has(&["static"]) => Visibility::Internal,
        "cpp" => match around.filter(|around| matches!(around.kind, K::Class | K::Struct | K::Union)) {
            Some(around) => of(section.unwrap_or(around.kind != K::Class)),
            // The class says it, which is mostly in a header.
            None if !one.scope.is_empty() && matches!(one.kind, K::Function | K::Method | K::Constructor) => {
                Visibility::Unknown
            }
            None => of(section.unwrap_or(true) && !has(&["static"])),
        },
        "ruby" => of(section.unwrap_or(true)),
        "lua" => of(!has(&["local"])),
        "perl" => of(!underscored && !has(&["my", "state"])),
        "clojure" => of(!head.iter().any(|word| word.ends_with("defn-") || *word == "^:private")),
        "elixir" => of(!has(&["defp", "defmacrop", "@typep"])),
        "zig" => of(has(&["pub", "export"])),
        "ocaml-interface" | "sql" => Visibility::Public,
        _ => Visibility::Unknown,
    }
}

/// The visibility of a declaration of Swift. An extension is as visible as its type, unless it says
/// otherwise; what it says is the default of its members.
fn of_swift(member: &Member<'_>, head: &[&str]) -> Visibility {
    use DeclarationKind as K;
    const PUBLIC: [&str; 2] = ["public", "open"];
    const INTERNAL: [&str; 4] = ["private", "fileprivate", "internal", "package"];
    let Member { source, declared: one, around, .. } = *member;
    let has = |words: &[&str], of: &[&str]| of.iter().any(|word| words.contains(word));
    if has(&PUBLIC, head) {
        return Visibility::Public;
    }
    if has(&INTERNAL, head) {
        return Visibility::Internal;
    }
    if one.kind == K::Implementation {
        const TYPES: [&str; 5] = ["class", "struct", "enum", "actor", "protocol"];
        return match is_public_type(source.text, one.name, &TYPES, &PUBLIC) {
            Some(true) => Visibility::Public,
            Some(false) => Visibility::Internal,
            None => Visibility::Unknown,
        };
    }
    let is_default = around.is_some_and(|around| match around.kind {
        K::Implementation => has(&PUBLIC, &split(around.signature)),
        kind => {
            let is_same = kind == K::Interface || one.kind == K::Variant;
            is_same && around.visibility == Visibility::Public
        }
    });
    if is_default { Visibility::Public } else { Visibility::Internal }
}

/// Most places of a name, in comments before it, that are looked at.
const MAX_NAMED: usize = 16;

/// The text before the name of a declaration, from the beginning of its line.
fn before_name<'t>(member: &Member<'t>) -> Cow<'t, str> {
    let (one, text) = (member.declared, member.source.text);
    let start = if one.signature.is_empty() { one.whole.start } else { one.signature.start } as usize;
    let line = text.get(..start).map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
    let text = text.get(line.max(member.least as usize)..one.whole.end as usize).unwrap_or_default();
    let end =
        words(text, one.name).take(MAX_NAMED).find(|at| !is_in_comment(member.source.language, text, *at));
    without_comments(member.source.language, text.get(..end.unwrap_or(0)).unwrap_or_default())
}

/// Whether a place of a text is in a comment.
fn is_in_comment(language: &str, text: &str, at: usize) -> bool {
    const MARK: char = '\u{1}';
    let before = text.get(..at).unwrap_or_default();
    !without_comments(language, &format!("{before}{MARK}")).ends_with(MARK)
}

/// The words of a text, without brackets.
fn split(text: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | ';');
    text.split(is_end).filter(|word| !word.is_empty()).collect()
}

/// Whether the words before a variable of a shell script hand it to other programs.
fn is_inherited(head: &[&str]) -> bool {
    let is_flag = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains('x');
    match head.first() {
        Some(&"export") => true,
        Some(&("declare" | "typeset")) => head.iter().skip(1).any(is_flag),
        _ => false,
    }
}

/// The visibility of an `impl` of Rust: public if its type is, and its trait unless another file
/// declares that.
fn of_implementation(member: &Member<'_>) -> Visibility {
    const TYPES: [&str; 5] = ["struct", "enum", "union", "trait", "type"];
    let (one, text) = (member.declared, member.source.text);
    let is_public = |name: &str| is_public_type(text, name, &TYPES, &["pub"]);
    let of_trait = one.signature.of(text).split_once(" for ").map(|(head, _)| last_name(head));
    match (is_public(one.name), of_trait.and_then(is_public)) {
        (Some(false), _) | (_, Some(false)) => Visibility::Internal,
        (Some(true), _) => Visibility::Public,
        (None, _) => Visibility::Unknown,
    }
}

/// The last name of a path in Rust, without its arguments: `From` of `impl<T> a::From<Vec<T>>`.
fn last_name(path: &str) -> &str {
    let mut end = path.trim_end().len();
    if path.trim_end().ends_with('>') {
        let mut depth = 0usize;
        for (at, c) in path.char_indices().rev() {
            match c {
                '>' => depth += 1,
                '<' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if c == '<' && depth == 0 {
                end = at;
                break;
            }
        }
    }
    let path = path.get(..end).unwrap_or_default().trim_end();
    path.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// Whether a text declares a type as public; `None` if it declares none of that name. `types` are
/// the words before the name of a type, and `public` those that make it public.
fn is_public_type(text: &str, name: &str, types: &[&str], public: &[&str]) -> Option<bool> {
    let mut found = None;
    for at in words(text, name) {
        let line = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        // A line may have several declarations.
        let head = line.rsplit(['{', '}', ';']).next().unwrap_or_default();
        let is_declared = match head.split_whitespace().next_back() {
            // Inside of braces, it is a member of a trait.
            Some("type") if head.len() < line.len() || !line.starts_with(char::is_alphabetic) => false,
            Some(word) => types.contains(&word) && !line.trim_start().starts_with("//"),
            None => false,
        };
        if is_declared {
            let is_public = head.split_whitespace().any(|word| public.contains(&word));
            found = Some(is_public || found == Some(true));
        }
    }
    found
}

/// Whether an implementation of Rust is one of a trait.
fn is_trait_implementation(around: &Container<'_>) -> bool {
    around.kind == DeclarationKind::Implementation && around.signature.contains(" for ")
}

/// Whether a top-level declaration of JavaScript is exported elsewhere in its file.
fn is_exported_later(member: &Member<'_>, head: &[&str]) -> bool {
    let (one, text) = (member.declared, member.source.text);
    let is_assigned =
        head.iter().any(|word| word.starts_with("exports.") || word.starts_with("module.exports"));
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let names = |list: &str| list.split(|c: char| !is_word(c)).any(|word| word == one.name);
    is_assigned
        || text.match_indices("export {").any(|(at, mark)| {
            let list = text.get(at + mark.len()..).unwrap_or_default();
            list.find('}').and_then(|end| list.get(..end)).is_some_and(names)
        })
        || text.match_indices("export default ").any(|(at, mark)| {
            let rest = text.get(at + mark.len()..).unwrap_or_default();
            rest.split(|c: char| !is_word(c)).next() == Some(one.name)
        })
        || text.match_indices("module.exports").any(|(at, mark)| {
            let list = text.get(at + mark.len()..).unwrap_or_default();
            let end = if list.trim_start_matches([' ', '=']).starts_with('{') {
                list.find('}')
            } else {
                list.find('\n')
            };
            list.get(..end.unwrap_or(list.len())).is_some_and(names)
        })
        || text.contains(&format!("exports.{} =", one.name))
}

#[cfg(test)]
mod tests;

//! What a mention of a declaration says of the two: whether one is a member of the other, calls its
//! constructor, or only names the type that it belongs to.

use bstr::ByteSlice;

use crate::base::text::words;
use crate::index::chunk::{ByteRange, DeclarationKind, Language, has_headers, is_in_unnamed_namespace};
use crate::search::graph::overload::Choice;
use crate::search::graph::{DeclarationRef, Edge, Evidence, is_function, is_type};
use crate::search::segment::terms::symbol_key;
use crate::search::segment::{DeclarationView, FileView};

/// Returns the type that a constructor is declared in, by whose name it is called.
///
/// In Python the class is what is called, and `__init__` runs in it, as pyright has it: such calls
/// are references to the class.
pub(super) fn constructed(one: &DeclarationView<'_>) -> Option<DeclarationRef> {
    let language = one.file.language();
    if language == "python" {
        return None;
    }
    let ord = one.row.parent.filter(|_| one.row.kind == DeclarationKind::Constructor)?;
    let parent = one.file.segment.declaration(ord)?;
    // In Dart, a constructor with a name of its own is called by that.
    let is_unnamed = matches!(one.name(), "new") || one.name() == one.file.segment.name(&parent);
    let is_its_type = is_type(parent.kind)
        && !matches!(parent.kind, DeclarationKind::Implementation | DeclarationKind::Module)
        && (language != "dart" || is_unnamed);
    is_its_type.then_some(DeclarationRef { part: one.file.part, ord })
}

/// Returns whether a declaration is a member of a type: it is declared inside, or in the same
/// folder and names the type.
pub(crate) fn is_member(one: &DeclarationView<'_>, ty: &DeclarationView<'_>) -> bool {
    let parent = one.row.parent.and_then(|ord| Some((ord, one.file.segment.declaration(ord)?)));
    let is_here = (one.file.part, one.file.ord) == (ty.file.part, ty.file.ord);
    if is_here && parent.is_some_and(|(ord, _)| ord == ty.ord) {
        return true;
    }
    let owner = match parent {
        Some((_, parent)) if parent.kind == DeclarationKind::Implementation => one.file.segment.name(&parent),
        _ => one.file.segment.scope(&one.row),
    };
    let folder = |view: &DeclarationView<'_>| view.file.path().rfind_byte(b'/').unwrap_or(0);
    let is_beside =
        folder(one) == folder(ty) && one.file.path().get(..folder(one)) == ty.file.path().get(..folder(ty));
    is_beside && !owner.is_empty() && owner == ty.name()
}

/// Returns whether a mention of a type only says to what a declaration belongs: the receiver of a
/// method (`func (l *Lessor) …`), or the type of an implementation (`impl Lessor`).
pub(super) fn is_receiver(
    around: &DeclarationView<'_>,
    ty: &DeclarationView<'_>,
    text: &str,
    byte: u32,
) -> bool {
    let row = &around.row;
    let is_head = row.signature.contains(byte);
    // A test of C++ inherits from the fixture that it names: `TEST_F(ShopTest, Pays)`.
    if row.kind == DeclarationKind::Test {
        return false;
    }
    if row.kind == DeclarationKind::Implementation {
        return is_head && around.name() == ty.name();
    }
    let before = text.get(row.signature.start as usize..byte as usize).unwrap_or_default();
    is_head && is_member(around, ty) && words(before, around.name()).next().is_none()
}

pub(crate) fn reference(view: &DeclarationView<'_>) -> DeclarationRef {
    DeclarationRef { part: view.file.part, ord: view.ord }
}

/// Returns whether a word is the first of its kind in its line: the name of `type Error = Error`.
pub(crate) fn is_first(text: &str, byte: u32, name: &str) -> bool {
    let before = text.get(..byte as usize).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    before.get(start..).is_none_or(|line| words(line, name).next().is_none())
}

/// Returns whether a place of a file can see a declaration: one inside of a function is visible in
/// that function only, where it hides others of its name. `evidence` is that for the place.
pub(crate) fn is_visible(
    one: &DeclarationView<'_>,
    file: &FileView<'_>,
    text: &str,
    byte: u32,
    evidence: Evidence,
) -> bool {
    let is_own_file = (file.part, file.ord) == (one.file.part, one.file.ord);
    let before = text.get(..byte as usize).unwrap_or_default().trim_end();
    let is_alone = !before.ends_with(['.', ':', '>']) || before.ends_with("=>");
    let is_hidden = is_alone
        && of_name(file, one.name()).any(|other| {
            let is_value = !matches!(
                other.row.kind,
                DeclarationKind::Method
                    | DeclarationKind::Constructor
                    | DeclarationKind::Field
                    | DeclarationKind::Test
            );
            let is_nearer = |around: ByteRange| !around.contains(one.row.span.bytes.start);
            let hides = |around: ByteRange| around.contains(byte) && (!is_own_file || is_nearer(around));
            is_value && !(is_own_file && other.ord == one.ord) && local_to(&other).is_some_and(hides)
        });
    !is_hidden
        && local_to(one).is_none_or(|around| is_own_file && around.contains(byte))
        // The record names the module that an import or an opening gives a bare name.
        && (evidence == Evidence::Qualifier
            || !(is_alone && is_own_file && is_behind_module(one, file, byte)))
}

/// Declarations of a file above which those of a name are looked up, and not searched for.
const MANY_DECLARATIONS: usize = 1000;

/// Returns the declarations of a file that have a name.
fn of_name<'s>(file: &FileView<'s>, name: &str) -> impl Iterator<Item = DeclarationView<'s>> {
    let (file, segment) = (*file, file.segment);
    let here = segment.declarations_of(file.ord);
    let ords: Vec<u32> = if here.len() > MANY_DECLARATIONS {
        let named = segment.symbol(&symbol_key(name)).unwrap_or_default();
        named.into_iter().filter(|ord| here.contains(ord)).collect()
    } else {
        here.collect()
    };
    let view = move |ord| Some(DeclarationView { file, ord, row: segment.declaration(ord)? });
    ords.into_iter().filter_map(view).filter(move |one| one.name() == name)
}

/// Languages in which a function is seen without a qualifier only inside its module.
const INLINE_MODULES: [&str; 8] =
    ["elixir", "javascript", "julia", "ocaml", "php", "rust", "tsx", "typescript"];

/// Returns whether a name at a byte of the same file cannot mean a function or a value without
/// naming its module: it is declared in a module that is not around, or one that is nearer declares
/// the name, too.
fn is_behind_module(one: &DeclarationView<'_>, file: &FileView<'_>, byte: u32) -> bool {
    if !INLINE_MODULES.contains(&file.language()) || is_type(one.row.kind) {
        return false;
    }
    let depth = |view: &DeclarationView<'_>| {
        let Some(parent) = view.row.parent.and_then(|parent| file.segment.declaration(parent)) else {
            return Some(0);
        };
        let is_around = parent.kind == DeclarationKind::Module && parent.span.bytes.contains(byte);
        is_around.then_some(parent.span.bytes.start + 1)
    };
    let is_in_module = one.row.parent.is_some_and(|parent| {
        file.segment.declaration(parent).is_some_and(|parent| parent.kind == DeclarationKind::Module)
    });
    let is_outside = one.row.parent.is_none();
    if !(is_in_module || is_outside) {
        return false;
    }
    let own = depth(one);
    let others = of_name(file, one.name()).filter(|other| !is_type(other.row.kind));
    own.is_none() || others.filter_map(|other| depth(&other)).any(|other| Some(other) > own)
}

/// Returns the bytes of the function that a declaration is local to.
fn local_to(one: &DeclarationView<'_>) -> Option<ByteRange> {
    let parent = one.row.parent.filter(|_| one.file.segment.scope(&one.row).is_empty())?;
    let around = one.file.segment.declaration(parent)?;
    is_function(around.kind).then_some(around.span.bytes)
}

/// Returns whether a declaration is visible in its own file only. In C and its relatives, it is
/// `static`, or in a namespace without a name. In Java, Kotlin and Swift, it is private, as is what
/// such a type declares. In Elixir, it is private to its module.
pub(crate) fn is_file_local(one: &DeclarationView<'_>, text: &str) -> bool {
    if one.file.language() == "elixir" {
        let word = one.row.signature.of(text).split_whitespace().next();
        return matches!(word, Some("defp" | "defmacrop" | "defguardp" | "defnp"));
    }
    if matches!(one.file.language(), "java" | "kotlin" | "swift") {
        return is_private(one, text);
    }
    let is_source = has_headers(one.file.language())
        && !one.file.path().rsplit_str(".").next().is_some_and(|ending| ending.starts_with(b"h"));
    if !is_source {
        return false;
    }
    // A static member of a class is something else.
    let parent = one.row.parent.and_then(|parent| one.file.segment.declaration(parent));
    let is_outside = parent.is_none_or(|parent| parent.kind == DeclarationKind::Module);
    let is_static = || one.row.signature.of(text).split_whitespace().any(|word| word == "static");
    one.file.segment.scope(&one.row).is_empty() && is_outside && is_static()
        || Language::from_name(one.file.language())
            .is_some_and(|language| is_in_unnamed_namespace(language, text, one.row.span.bytes.end))
}

/// Returns whether a declaration, or a type around it, has the word for what only its file sees.
fn is_private(one: &DeclarationView<'_>, text: &str) -> bool {
    let mut at = Some((one.ord, one.row));
    while let Some((ord, row)) = at {
        let signature = row.signature.of(text);
        let name = one.file.segment.name(&row);
        let head = words(signature, name).next().and_then(|end| signature.get(..end)).unwrap_or_default();
        if head.split_whitespace().any(|word| matches!(word, "private" | "fileprivate")) {
            return true;
        }
        let parent = row.parent.filter(|&parent| parent < ord);
        at = parent.and_then(|ord| Some((ord, one.file.segment.declaration(ord)?)));
    }
    false
}

/// Returns the bytes of a name that begins at a byte.
pub(crate) fn name_range(start: u32, name: &str) -> ByteRange {
    ByteRange { start, end: start.saturating_add(u32::try_from(name.len()).unwrap_or(u32::MAX)) }
}

/// Returns the edge with other evidence.
pub(crate) fn known_by(edge: Edge, evidence: Evidence) -> Edge {
    Edge { evidence, confidence: evidence.confidence(1), ..edge }
}

/// Returns the edge to an overload that a call may mean; `None` if it means another one.
pub(crate) fn chosen(edge: Edge, choice: Choice) -> Option<Edge> {
    match choice {
        Choice::This => Some(edge),
        Choice::Other => None,
        Choice::Either if edge.evidence < Evidence::Alternative => {
            Some(known_by(edge, Evidence::Alternative))
        }
        Choice::Either => Some(edge),
    }
}

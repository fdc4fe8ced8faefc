//! Who calls an inherited constructor, or one of Python: a constructor or its class → the places
//! that construct an object with it.
//!
//! In Python, `Client()` calls the class and runs `__init__` in it. In some languages, a type
//! without a constructor has that of its supertype. The names of both are those of types, so
//! references to the constructor itself don't include such calls.

use std::collections::HashSet;

use crate::answer::relations::RepositoryDeclaration;
use crate::answer::relations::reader::{Reader, Referrer};
use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::Result;
use crate::search::graph::{DeclarationRef, Evidence};
use crate::search::segment::DeclarationView;

/// Languages in which a type has the constructor of its supertype if it declares none.
const INHERITING: [&str; 7] = ["javascript", "jsx", "php", "python", "ruby", "tsx", "typescript"];
/// Most types whose calls are looked for.
const MOST_TYPES: usize = 50;

/// Returns the places that call a constructor by the name of a type, beside those that refer to the
/// constructor itself.
pub(super) fn constructing(
    reader: &mut Reader<'_, '_, '_>,
    (home, at): RepositoryDeclaration,
) -> Result<Vec<Referrer>> {
    let Some(own) = reader.view((home, at)).filter(is_constructor) else { return Ok(Vec::new()) };
    let language = own.file.language();
    let Some(ord) = own.row.parent.filter(|_| INHERITING.contains(&language)) else { return Ok(Vec::new()) };
    let class = (home, DeclarationRef { part: at.part, ord });
    if !reader.is_type(class) {
        return Ok(Vec::new());
    }
    calls_of(reader, class, language == "python")
}

/// Returns the calls of a class, if they are asked for, and of the classes that have its
/// constructor.
pub(super) fn calls_of(
    reader: &mut Reader<'_, '_, '_>,
    class: RepositoryDeclaration,
    is_own: bool,
) -> Result<Vec<Referrer>> {
    let mut found = Vec::new();
    let mut seen: HashSet<RepositoryDeclaration> = HashSet::from([class]);
    let mut open: Vec<(RepositoryDeclaration, Option<Evidence>)> = vec![(class, None)];
    while let Some((one, inherited)) = open.pop() {
        if is_own || one != class {
            found.extend(reader.referrers_of(one, &[ReferenceKind::Call])?.into_iter().map(|mut call| {
                call.evidence = inherited.map_or(call.evidence, |inherited| call.evidence.max(inherited));
                call
            }));
        }
        for heir in reader.referrers_of(one, &[ReferenceKind::Inherits])? {
            let Some(at) = heir.at.filter(|_| seen.len() < MOST_TYPES) else { continue };
            if !has_constructor(reader, at) && seen.insert(at) {
                let evidence = inherited.map_or(heir.evidence, |inherited| heir.evidence.max(inherited));
                open.push((at, Some(evidence)));
            }
        }
    }
    Ok(found)
}

/// Returns whether a type declares a constructor of its own.
fn has_constructor(reader: &Reader<'_, '_, '_>, (home, at): RepositoryDeclaration) -> bool {
    reader.view((home, at)).is_some_and(|class| {
        let mut members = class.file.declarations().filter(|one| one.row.parent == Some(class.ord));
        members.any(|one| is_constructor(&one))
    })
}

/// Returns whether a declaration is a constructor. `__new__` of Python is one too.
fn is_constructor(one: &DeclarationView<'_>) -> bool {
    let is_new = one.file.language() == "python" && one.name() == "__new__";
    one.row.kind == DeclarationKind::Constructor || is_new
}

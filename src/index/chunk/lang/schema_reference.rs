//! The schema that `$ref` names, in OpenAPI and JSON Schema: `#/components/schemas/Pet`, in the
//! same file or another (`pets.yaml#/Pet`).

use crate::base::text::identifier::offset_in;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use std::borrow::Cow;
use tree_sitter::Node;

/// The key in front of such a target.
pub(super) const KEY: &str = "$ref";

/// Adds the schema that a target names, and the file that has it. Both are parts of `text`.
pub(super) fn add<'t>(text: &'t str, target: &'t str, found: &mut Vec<Mention<'t>>) {
    let mut push = |kind: ReferenceKind, name: &'t str, qualifier: &'t str| {
        if !name.is_empty() {
            found.push(Mention::new(offset(offset_in(text, name)), kind, name, Cow::Borrowed(qualifier)));
        }
    };
    let (file, path) = target.split_once('#').unwrap_or((target, ""));
    if !file.contains("://") {
        push(ReferenceKind::Import, file.rsplit('/').next().unwrap_or(file), file);
    }
    let mut segments = path.rsplit('/').filter(|segment| !segment.is_empty());
    if let Some(name) = segments.next() {
        push(ReferenceKind::Use, name, segments.next().unwrap_or_default());
    }
}

/// Adds the schema that a pair of JSON names.
pub(super) fn of_pair<'t>(text: &'t str, pair: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = |field: &str| {
        let node = pair.child_by_field_name(field).filter(|node| node.kind() == "string")?;
        Some(text.get(node.byte_range())?.trim_matches('"'))
    };
    if written("key") == Some(KEY)
        && let Some(target) = written("value")
    {
        add(text, target, found);
    }
}

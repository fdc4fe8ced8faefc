//! Namespaces that C++ code opens: `using namespace a::b;` → an import of all of its names.
//!
//! Another alias than that of any import marks it, because the imports of C++ are headers.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::MentionRule;
use std::borrow::Cow;
use tree_sitter::Node;

/// The alias of a namespace whose names the file uses without it.
pub const OPENED_ALIAS: &str = "using";

/// The namespace of C++'s own library, which no repository declares.
const LIBRARY: &str = "std";

/// Reads `using namespace a::b;`.
pub(super) const NAMESPACE: MentionRule = MentionRule { node: "using_declaration", read: opened };

fn opened<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let is_namespace = node.child(1).is_some_and(|word| word.kind() == "namespace");
    let name = node.named_child(0).filter(|_| is_namespace);
    let Some(name) = name.and_then(|name| text.get(name.byte_range())) else { return };
    let name = name.trim_start_matches("::");
    let is_own = name.split("::").next() != Some(LIBRARY);
    if is_own && identifiers::is_plain(name) {
        let at = offset(node.start_byte());
        let import = Mention::new(at, ReferenceKind::Import, "*", Cow::Borrowed(name));
        found.push(Mention { alias: Cow::Borrowed(OPENED_ALIAS), ..import });
    }
}

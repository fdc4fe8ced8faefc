//! What the values of YAML refer to, by the key in front of them.
//!
//! Knows the files that programs share: objects of Kubernetes, services of Compose, jobs of GitHub
//! Actions and GitLab, and schemas of OpenAPI and JSON Schema. A key that has another meaning in
//! other files does no harm: a reference counts only if something of that name is declared.

use super::schema_reference;
use crate::base::text::identifier::offset_in;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use std::borrow::Cow;
use tree_sitter::Node;

/// Most pairs or items that are read.
const MAX_ITEMS: usize = 64;

/// Most keys around a value that are looked at.
const MAX_OUTER: usize = 8;

/// Keys whose value is the name of an object of Kubernetes, and its kind.
const NAMED: [(&str, &str); 8] = [
    ("claimName", "PersistentVolumeClaim"),
    ("ingressClassName", "IngressClass"),
    ("priorityClassName", "PriorityClass"),
    ("runtimeClassName", "RuntimeClass"),
    ("secretName", "Secret"),
    ("serviceAccountName", "ServiceAccount"),
    ("serviceName", "Service"),
    ("storageClassName", "StorageClass"),
];

/// Keys whose value has the key `name`, and the kind of object that this names.
const NAMING: [(&str, &str); 7] = [
    ("configMap", "ConfigMap"),
    ("configMapKeyRef", "ConfigMap"),
    ("configMapRef", "ConfigMap"),
    ("imagePullSecrets", "Secret"),
    ("secretKeyRef", "Secret"),
    ("secretRef", "Secret"),
    ("service", "Service"),
];

/// Keys below a service of Compose that list what the file declares under a key of the same name.
const SHARED: [&str; 4] = ["configs", "networks", "secrets", "volumes"];

/// Returns the pairs of a mapping: each key, and its value if there is one.
pub(super) fn pairs<'tree>(node: Node<'tree>) -> impl Iterator<Item = (Node<'tree>, Option<Node<'tree>>)> {
    let mapping = collection(node).filter(|one| matches!(one.kind(), "block_mapping" | "flow_mapping"));
    let all: Vec<Node<'tree>> = mapping.map(|mapping| children(mapping)).unwrap_or_default();
    all.into_iter().filter_map(|pair| Some((pair.child_by_field_name("key")?, value(pair))))
}

/// Returns the value of a pair.
pub(super) fn value(pair: Node<'_>) -> Option<Node<'_>> {
    pair.child_by_field_name("value")
}

/// Returns the scalar below a key of a mapping.
pub(super) fn scalar<'tree>(text: &str, mapping: Node<'tree>, key: &str) -> Option<Node<'tree>> {
    let (_, value) = pairs(mapping).find(|(name, _)| text.get(name.byte_range()) == Some(key))?;
    value.and_then(leaf)
}

/// Returns the scalar that a node is.
fn leaf(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind().ends_with("_scalar"))
}

/// Returns the mapping or the sequence that a node holds.
pub(super) fn collection(node: Node<'_>) -> Option<Node<'_>> {
    let is_collection = |kind: &str| kind.ends_with("_mapping") || kind.ends_with("_sequence");
    if is_collection(node.kind()) {
        return Some(node);
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| is_collection(child.kind()))
}

pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).take(MAX_ITEMS).collect()
}

/// Returns the scalars of a value: itself, the items of a list, or the keys of a mapping.
fn scalars(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(of) = collection(node) else { return leaf(node).into_iter().collect() };
    children(of).into_iter().filter_map(item).collect()
}

/// Returns the scalar of a list's item, or the key of a mapping's pair.
fn item(child: Node<'_>) -> Option<Node<'_>> {
    match child.kind() {
        "block_mapping_pair" | "flow_pair" => child.child_by_field_name("key").and_then(leaf),
        "block_sequence_item" => child.named_child(0).and_then(leaf),
        _ => leaf(child),
    }
}

/// Returns the text of a scalar without its quotes.
fn written<'t>(text: &'t str, scalar: Node<'_>) -> &'t str {
    text.get(scalar.byte_range()).unwrap_or_default().trim_matches(['"', '\''])
}

/// Returns the keys around a pair, innermost first.
fn outer<'t>(text: &'t str, pair: Node<'_>) -> Vec<&'t str> {
    let mut keys = Vec::new();
    let mut node = pair.parent();
    while let Some(one) = node.filter(|_| keys.len() < MAX_OUTER) {
        if matches!(one.kind(), "block_mapping_pair" | "flow_pair") {
            keys.extend(one.child_by_field_name("key").map(|key| written(text, key)));
        }
        node = one.parent();
    }
    keys
}

/// What a file and its mentions are collected in.
struct Reader<'t, 'a> {
    text: &'t str,
    found: &'a mut Vec<Mention<'t>>,
}

impl<'t> Reader<'t, '_> {
    fn push(&mut self, kind: ReferenceKind, name: &'t str, qualifier: &'t str) {
        if !name.is_empty() && !name.contains(['{', '$', '\n']) {
            let at = offset(offset_in(self.text, name));
            self.found.push(Mention::new(at, kind, name, Cow::Borrowed(qualifier)));
        }
    }

    fn uses(&mut self, of: Node<'_>, qualifier: &'t str) {
        for one in scalars(of) {
            self.push(ReferenceKind::Use, written(self.text, one), qualifier);
        }
    }

    /// Adds the import of a file.
    fn file(&mut self, path: &'t str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.push(ReferenceKind::Import, name, path);
    }
}

/// Adds what the value of a pair refers to.
pub(super) fn reference<'t>(text: &'t str, pair: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let (Some(key), Some(of)) = (pair.child_by_field_name("key"), value(pair)) else { return };
    let key = written(text, key);
    let only = leaf(of).map(|one| written(text, one));
    let mut reader = Reader { text, found };
    if let Some((_, kind)) = NAMED.iter().find(|(named, _)| *named == key) {
        reader.uses(of, kind);
        return;
    }
    if let Some((_, kind)) = NAMING.iter().find(|(naming, _)| *naming == key) {
        let items = collection(of).filter(|one| one.kind().ends_with("_sequence"));
        let items = items.map_or_else(|| vec![of], children);
        for item in items {
            let item = if item.kind() == "block_sequence_item" { item.named_child(0) } else { Some(item) };
            if let Some(name) = item.and_then(|item| scalar(text, item, "name")) {
                reader.push(ReferenceKind::Use, written(text, name), kind);
            }
        }
        return;
    }
    match (key, only) {
        (schema_reference::KEY, Some(target)) => schema_reference::add(text, target, reader.found),
        // A step or a job of GitHub that is in the repository.
        ("uses", Some(path)) if path.starts_with("./") => {
            reader.file(path.split('@').next().unwrap_or(path));
        }
        ("needs" | "dependencies", _) => {
            let outer = outer(text, pair);
            match outer.as_slice() {
                [_, "jobs"] => reader.uses(of, "jobs"),
                // A job of GitLab is a key of the file.
                [_] => reader.uses(of, ""),
                _ => {}
            }
        }
        ("job", Some(name)) if outer(text, pair).first() == Some(&"needs") => {
            reader.push(ReferenceKind::Use, name, "");
        }
        ("extends", _) => match scalar(text, of, "service") {
            Some(service) => reader.push(ReferenceKind::Use, written(text, service), "services"),
            None if outer(text, pair).len() == 1 => reader.uses(of, ""),
            None => {}
        },
        ("depends_on" | "links" | "volumes_from", _) if outer(text, pair).get(1) == Some(&"services") => {
            reader.uses(of, "services");
        }
        // The files of a kustomization.
        ("resources" | "bases" | "components", None) if outer(text, pair).is_empty() => {
            for one in scalars(of) {
                let path = written(text, one);
                if path.ends_with(".yaml") || path.ends_with(".yml") {
                    reader.file(path);
                    reader.push(ReferenceKind::Link, path, "");
                }
            }
        }
        _ => {
            let shared = SHARED.iter().find(|shared| **shared == key);
            if let Some(shared) = shared.filter(|_| outer(text, pair).get(1) == Some(&"services")) {
                for one in scalars(of) {
                    // `data:/var/lib` is a volume, `./data:/var/lib` a folder.
                    let name = written(text, one).split(':').next().unwrap_or_default();
                    if !name.contains(['/', '.', '~']) {
                        reader.push(ReferenceKind::Use, name, shared);
                    }
                }
            }
        }
    }
}

/// Adds the object of Kubernetes that a mapping names by its kind: the target of an autoscaler, the
/// subjects of a binding.
pub(super) fn kind_and_name<'t>(text: &'t str, mapping: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let (Some(kind), Some(name)) = (scalar(text, mapping, "kind"), scalar(text, mapping, "name")) else {
        return;
    };
    Reader { text, found }.push(ReferenceKind::Use, written(text, name), written(text, kind));
}

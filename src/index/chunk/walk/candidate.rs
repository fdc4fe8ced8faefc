//! Candidates for declarations: a node, or one of its parts → name, kind and owner.
//!
//! Nothing is recorded here; `declare` adds the candidates that pass.

use super::Walk;
use super::declare::is_type;
use super::identifiers::{self, QualifiedName};
use super::mention::MAX_NAME;
use crate::index::chunk::DeclarationKind;
use crate::index::chunk::resolve::{Role, Step, follow};
use crate::index::chunk::table::{DeclarationCandidate, Name};
use tree_sitter::Node;

impl<'t> Walk<'t> {
    /// Returns the candidate that a part of a node is, and its name. `None` if it declares nothing.
    pub(in crate::index::chunk) fn candidate<'tree>(
        &self,
        node: Node<'tree>,
        part: Node<'tree>,
        role: Role,
        has_several: bool,
        like: DeclarationCandidate<'tree>,
    ) -> Option<(DeclarationCandidate<'tree>, QualifiedName<'t>)> {
        let at = usize::from(role.declare);
        let rule = self.resolved.table.declarations.get(at)?;
        let lead = |steps: &[Vec<Step>]| {
            let from_part = follow(part, steps.get(at));
            from_part.or_else(|| follow(node, steps.get(at)).filter(|_| part != node))
        };
        let name = match rule.name {
            Name::At(_) => lead(&self.resolved.names),
            Name::Declarator(field) if rule.parts.is_some() => identifiers::innermost(part, field),
            Name::Declarator(field) => identifiers::declarator(node, field),
            Name::Argument(field) => identifiers::argument(self.resolved, node, field),
            Name::Refined => None,
        };
        let body = lead(&self.resolved.bodies).filter(|_| !rule.body.is_empty());
        let mut found = DeclarationCandidate { part, name, body, ..like };
        if rule.refine.is_some_and(|refine| !refine(self.text, node, &mut found)) {
            return None;
        }
        let named = match found.name_bytes {
            Some(bytes) => QualifiedName { name: bytes.of(self.text), qualifier: "", at: bytes.start },
            None => identifiers::read(self.resolved, found.name?, self.text)?,
        };
        let is_discard = named.name == "_" && (has_several || self.resolved.table.discards);
        let is_name = !named.name.is_empty() && named.name.len() <= MAX_NAME && !named.name.contains('\n');
        let is_reserved = self.resolved.table.reserved.contains(&named.name);
        (is_name && !is_discard && !is_reserved).then_some((found, named))
    }

    /// Returns the name of the owner that a candidate names itself.
    fn named_owner<'a>(&'a self, found: &DeclarationCandidate<'_>) -> Option<&'a str> {
        let owner = found.owner.and_then(|owner| identifiers::read(self.resolved, owner, self.text));
        owner.map(|one| one.name).or(Some(found.scope).filter(|scope| !scope.is_empty()))
    }

    /// Returns the kind of the declaration that a candidate becomes.
    pub(in crate::index::chunk) fn kind_of(
        &self,
        found: &DeclarationCandidate<'_>,
        name: &str,
        parent: Option<u32>,
    ) -> DeclarationKind {
        // A friend of C++ is a function of the namespace.
        if found.around.first() == Some(&"friend_declaration") {
            return found.kind;
        }
        self.kind_within(found.kind, name, found.owner.is_some(), self.named_owner(found), parent)
    }

    /// Returns the scope of a declaration that does not follow from its place.
    pub(in crate::index::chunk) fn scope_named(
        &self,
        found: &DeclarationCandidate<'_>,
        named: QualifiedName<'_>,
        kind: DeclarationKind,
    ) -> String {
        let qualifier = if is_container(kind) { named.qualifier } else { "" };
        let scope = self.named_owner(found).unwrap_or(qualifier);
        let path = found.path.map(|path| without_arguments(path.of(self.text))).unwrap_or_default();
        let path = path.trim_matches(|c: char| c.is_whitespace() || self.separator.contains(c));
        let scope = match identifiers::is_plain(path) {
            true if scope.is_empty() => path.to_owned(),
            true if !path.is_empty() => format!("{path}{}{scope}", self.separator),
            _ => scope.to_owned(),
        };
        self.resolved.table.scope_words.iter().fold(scope, |scope, word| scope.replace(word, ""))
    }

    /// Returns the scope of a declaration without what is around it, where names are whole paths:
    /// `B` of `sub A::B::f` in the package `A` of Perl.
    pub(in crate::index::chunk) fn scope_inside(&self, scope: String, parent: Option<u32>) -> String {
        let parent = parent.and_then(|at| self.out.declarations.get(at as usize));
        let Some(parent) = parent.filter(|_| self.has_whole_paths() && !scope.is_empty()) else {
            return scope;
        };
        let outer = match parent.scope.as_str() {
            "" => parent.name.clone(),
            outer => format!("{outer}{}{}", self.separator, parent.name),
        };
        match scope.strip_prefix(&outer) {
            Some("") => String::new(),
            Some(rest) => rest.strip_prefix(self.separator).map(str::to_owned).unwrap_or(scope),
            None => scope,
        }
    }

    /// Returns the kind of a declaration in its context: a function of a type is a method, and a
    /// method that creates its type is a constructor. `owner` is the type's name if the declaration
    /// names it.
    fn kind_within(
        &self,
        kind: DeclarationKind,
        name: &str,
        is_owned: bool,
        owner: Option<&str>,
        parent: Option<u32>,
    ) -> DeclarationKind {
        let parent = parent.and_then(|at| self.out.declarations.get(at as usize));
        let is_member = is_owned || parent.is_some_and(|parent| is_type(parent.kind));
        // A function of C in a class of Objective-C is not its method.
        let has_free_functions = self.resolved.table.scopes.contains(&"implementation_definition");
        let kind = match kind {
            DeclarationKind::Function if is_member && !has_free_functions => DeclarationKind::Method,
            kind => kind,
        };
        let type_name = owner.or(parent.map(|parent| parent.name.as_str()));
        let constructs = |one: &str| one == name || (one == "=" && type_name == Some(name));
        if kind == DeclarationKind::Method
            && self.resolved.table.constructors.iter().any(|one| constructs(one))
        {
            return DeclarationKind::Constructor;
        }
        kind
    }
}

/// Returns a path without its type arguments: `a::T::` of `a::T<int>::`.
fn without_arguments(path: &str) -> String {
    let mut depth = 0usize;
    let is_kept = |c: &char| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *c != '>'
    };
    path.chars().filter(is_kept).collect()
}

/// Returns whether a qualifier before the name is the declaration's scope (`module A::B`).
fn is_container(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Class | K::Struct | K::Interface | K::Enum | K::Module)
}

//! Calls of `new` in Ruby that name no class.
//!
//! In a method of the class itself, `new` without an object constructs an instance of the class, as
//! `self.class.new` does in any other method. So the mention gets the name of the class, and the
//! word as its alias.

use super::declare::is_type;
use super::identifiers;
use super::lang::ruby_classes::{NEW_WORD, is_singleton_method};
use super::mention::Mention;
use super::types::ancestors;
use super::{Declaration, DeclarationKind, ReferenceKind};
use std::borrow::Cow;

/// Makes the calls of `new` that construct an instance of the class around calls of that class.
pub(super) fn construct(text: &str, declarations: &[Declaration], mentions: &mut [Mention<'_>]) {
    for one in mentions.iter_mut().filter(|one| one.kind == ReferenceKind::Call && one.name == NEW_WORD) {
        let on_class = match &*one.qualifier {
            "" | "self" if one.alias.is_empty() => true,
            "self.class" => false,
            _ => continue,
        };
        let around = || ancestors(declarations, one.within).map(|(_, one)| one);
        let is_class = |one: &&Declaration| is_type(one.kind) || one.kind == DeclarationKind::Module;
        // A module has no instances.
        let class = around().find(is_class).filter(|class| class.kind != DeclarationKind::Module);
        let Some(class) = class else { continue };
        let method = around().take_while(|one| !is_class(one)).find(|one| is_method(one.kind));
        // In the body of a class, the class is the current object.
        let is_on_class = method.is_none_or(|method| is_singleton(text, class, method));
        if is_on_class == on_class {
            let (name, scope) = identifiers::split(&class.name);
            let scope = if scope.is_empty() { &*class.scope } else { scope };
            (one.name, one.qualifier) = (Cow::Owned(name.to_owned()), Cow::Owned(scope.to_owned()));
            one.alias = Cow::Borrowed(NEW_WORD);
            one.at = one.name_at;
        }
    }
}

fn is_method(kind: DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Method | DeclarationKind::Function | DeclarationKind::Constructor)
}

/// Returns whether a method in a class is one of the class itself.
fn is_singleton(text: &str, class: &Declaration, method: &Declaration) -> bool {
    let first = class.span.bytes.start;
    is_singleton_method(text, first, method.signature.start, method.signature.of(text), &method.name)
}

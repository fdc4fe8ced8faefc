//! Methods of a Ruby class itself and methods of its instances, which may share a name.
//!
//! A record does not tell the two apart, but the source does: `def self.push`, or `def push` in
//! `class << self`. Input: a method with its text, and the object in front of a call. Output:
//! whether that call can mean the method.

use std::sync::Arc;

use crate::base::text::words;
use crate::index::chunk::{DeclarationKind, is_singleton_method};
use crate::search::graph::overload::Choice;
use crate::search::graph::{is_function, is_type};
use crate::search::segment::DeclarationView;

/// A method of Ruby, as a call sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RubyMethod {
    /// Whether it is a method of the class itself.
    is_singleton: bool,
    /// The module that declares it, whose methods may become either.
    module: Option<Arc<str>>,
    /// Whether the class has both methods of this name.
    has_both: bool,
}

impl RubyMethod {
    /// Returns the method that a declaration is; `None` outside of Ruby's classes and modules.
    pub(crate) fn of(one: &DeclarationView<'_>, text: &str) -> Option<Self> {
        let is_singleton = is_singleton(one, text)?;
        let parent = one.file.segment.declaration(one.row.parent?)?;
        let has_both = one.file.declarations().any(|other| {
            other.ord != one.ord
                && other.row.parent == one.row.parent
                && other.name() == one.name()
                && self::is_singleton(&other, text).is_some_and(|of| of != is_singleton)
        });
        let module = Some(parent).filter(|parent| parent.kind == DeclarationKind::Module);
        let module = module.map(|module| Arc::from(one.file.segment.name(&module)));
        Some(Self { is_singleton, module, has_both })
    }

    /// Returns whether it is a method of the class itself.
    pub(crate) fn is_singleton(&self) -> bool {
        self.is_singleton
    }

    /// Returns what a call means. `before` is the text in front of its name, `behind` that behind
    /// it, and `around` the declaration around it in the file with this `text`.
    pub(crate) fn choice(
        &self,
        before: &str,
        behind: &str,
        around: Option<&DeclarationView<'_>>,
        text: &str,
        is_certain: bool,
    ) -> Choice {
        // `cart.name = 3` calls `name=`.
        let behind = behind.trim_start();
        let is_assigned =
            behind.starts_with('=') && !["==", "=~", "=>"].iter().any(|one| behind.starts_with(one));
        if is_assigned && !self::object(before).is_empty() {
            return Choice::Other;
        }
        let object = object(before);
        let of_class = match object {
            // In the body of a class, the class is the current object.
            "" | "self" if around.is_some_and(|around| is_type(around.row.kind)) => Some(true),
            "" | "self" => around.and_then(|around| is_singleton(around, text)),
            object if object == "class" || object.starts_with(char::is_uppercase) => Some(true),
            "new" => Some(false),
            // The class may itself be the value of a variable.
            _ if is_certain => Some(false),
            _ => None,
        };
        let module = self.module.as_deref().filter(|_| !self.is_singleton);
        let can_be_both = module.is_some();
        match of_class {
            // A class that includes the module gives the method to its instances.
            Some(of_class) if matches!(object, "" | "self") && can_be_both => {
                let mixes_in = module.zip(around).map(|(module, around)| Mixin::of(module, around, text));
                let is_open = mixes_in.is_some_and(|mixin| !mixin.gives(of_class));
                if is_open { Choice::Either } else { Choice::This }
            }
            Some(of_class) if of_class != self.is_singleton && !can_be_both => {
                if self.has_both {
                    Choice::Other
                } else {
                    Choice::Either
                }
            }
            _ => Choice::This,
        }
    }
}

/// How a class mixes a module in, as its text says.
#[derive(Debug, Clone, Copy, Default)]
struct Mixin {
    /// Whether the class itself gets the methods.
    is_extended: bool,
    /// Whether its instances get them.
    is_included: bool,
}

impl Mixin {
    /// Reads it from the class or module around a declaration, in a file with this text.
    fn of(module: &str, around: &DeclarationView<'_>, text: &str) -> Self {
        let segment = around.file.segment;
        let parents = std::iter::successors(Some(around.row), |row| segment.declaration(row.parent?));
        let Some(class) = parents.into_iter().find(|row| is_type(row.kind)) else { return Self::default() };
        let is_itself = segment.name(&class) == module;
        let mut found = Self { is_extended: false, is_included: is_itself };
        for line in class.span.bytes.of(text).lines() {
            let line = line.trim_start();
            let (word, rest) = line.split_at(line.find([' ', '(']).unwrap_or(line.len()));
            let names_it = || words(rest, if is_itself { "self" } else { module }).next().is_some();
            match word {
                "extend" => found.is_extended |= names_it(),
                "include" | "prepend" => found.is_included |= names_it(),
                "module_function" => found.is_extended |= is_itself,
                _ => {}
            }
        }
        found
    }

    /// Returns whether it may give methods to the class itself, or else to its instances. A class
    /// that does not name the module inherits from one that does.
    fn gives(self, of_class: bool) -> bool {
        let is_unknown = !self.is_extended && !self.is_included;
        is_unknown || if of_class { self.is_extended } else { self.is_included }
    }
}

/// Returns whether a declaration is a method of its class itself; `None` if it is not a method
/// of Ruby.
fn is_singleton(one: &DeclarationView<'_>, text: &str) -> Option<bool> {
    let is_member = is_function(one.row.kind) || one.row.kind == DeclarationKind::Field;
    let parent = one.row.parent.filter(|_| is_member && one.file.language() == "ruby")?;
    let parent = one.file.segment.declaration(parent).filter(|of| !is_function(of.kind))?;
    let (first, start) = (parent.span.bytes.start, one.row.signature.start);
    Some(is_singleton_method(text, first, start, one.row.signature.of(text), one.name()))
}

/// Returns the last word of the object in front of a name: empty without an object, and `()` for
/// an expression.
fn object(before: &str) -> &str {
    let before = before.trim_end();
    let Some(object) = ["&.", "::", "."].iter().find_map(|mark| before.strip_suffix(mark)) else { return "" };
    let object = object.trim_end();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '?' | '!');
    let word = object.get(object.trim_end_matches(is_word).len()..).unwrap_or_default();
    if word.is_empty() { "()" } else { word }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

    #[test]
    fn the_object_decides_which_method_is_called() {
        let text = "class Cart\n  def push(x)\n    push(x)\n  end\n\n  class << self\n    def push(x)\n      new.push(x)\n    end\n\n    private\n\n    \
                    def make\n      push(1)\n    end\n  end\n\n  def self.find(id)\n    id\n  end\n\n  def find\n    self.class.find(1)\n  end\n\n  \
                    def only\n    1\n  end\nend\n\nmodule Tools\n  def pack\n    1\n  end\nend\n";
        let segment = sources(&[("cart.rb", text)]);
        let index = Index::whole(&segment);
        let file = index.file_by_path("cart.rb".into()).unwrap();
        let all: Vec<_> = file.declarations().collect();
        let on_line = |line: u32| *all.iter().find(|one| one.row.name_line == line).unwrap();
        let of = |line: u32| RubyMethod::of(&on_line(line), text).unwrap();
        for (line, expected) in [(2, false), (7, true), (13, true), (18, true), (22, false), (26, false)] {
            assert_eq!(of(line).is_singleton, expected, "line {line}");
        }
        for (line, before, around, expected) in [
            (2, "    ", 2, Choice::This),
            (7, "    ", 2, Choice::Other),
            (2, "new.", 7, Choice::This),
            (7, "new.", 7, Choice::Other),
            (7, "  ", 13, Choice::This),
            (2, "self.", 13, Choice::Other),
            (2, "Cart.", 2, Choice::Other),
            (7, "::Cart.", 2, Choice::This),
            (18, "self.class.", 22, Choice::This),
            (22, "self.class.", 22, Choice::Other),
            (18, "cart&.", 22, Choice::Other),
            (26, "Cart.", 22, Choice::Either),
            (32, "Tools.", 22, Choice::This),
            (2, "", 1, Choice::Other),
            (26, "", 1, Choice::Either),
        ] {
            let choice = of(line).choice(before, "(1)", Some(&on_line(around)), text, true);
            assert_eq!(choice, expected, "{before} in {around} for {line}");
        }
        assert_eq!(of(18).choice("cart.", "", None, text, false), Choice::This);
        assert_eq!(of(2).choice("", "", None, text, true), Choice::This);
        for (behind, expected) in [
            (" = 3", Choice::Other),
            (" == 3", Choice::This),
            (" += 3", Choice::This),
            ("=~ a", Choice::This),
        ] {
            assert_eq!(of(26).choice("cart.", behind, None, text, true), expected, "{behind}");
        }
    }
}

//! Calls without an object and without parentheses, as in Ruby: leaves of the syntax tree → calls.
//!
//! Such a leaf is a variable or a method. It is a call if nothing around binds the name, and if the
//! file declares a method of that name or the class may inherit it. `new` may construct the class
//! around, which every class can.

use super::leaf_prefix::{LeafPrefix, before};
use super::mention::{MAX_NAME, Mention};
use super::uses::{Leaf, MIN_NAME, NameDeclarations};
use crate::index::chunk::table::Table;
use crate::index::chunk::types::{ShadowedNames, ancestors};
use crate::index::chunk::{Declaration, ReferenceKind};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// The names of a file: what they mean, and where.
pub(in crate::index::chunk) struct FileNames<'a, 't> {
    pub(in crate::index::chunk) declarations: &'a [Declaration],
    /// How the file declares each name that it imports, or that it declares outside functions.
    pub(in crate::index::chunk) known: HashMap<&'a str, NameDeclarations>,
    /// Where a name means something nearer.
    pub(in crate::index::chunk) hidden: &'a ShadowedNames<'a, 't>,
    /// The first bytes of the leaves that bind a name, and so refer to nothing.
    pub(in crate::index::chunk) new_names: HashSet<u32>,
}

/// Returns the calls of methods without an object and without parentheses: the leaves that are not
/// variables, if the file declares the method, or if their class has or may inherit it.
pub(in crate::index::chunk) fn find<'t>(
    table: &Table,
    text: &str,
    names: &FileNames<'_, '_>,
    leaves: &[Leaf<'t>],
    mentions: &[Mention<'t>],
) -> Vec<Mention<'t>> {
    let mentioned: HashSet<(u32, &str)> = mentions.iter().map(|one| (one.at, &*one.name)).collect();
    let inherits = mentions.iter().filter(|one| one.kind == ReferenceKind::Inherits);
    let heirs: HashSet<u32> = inherits.filter_map(|one| one.within).collect();
    let is_called = |leaf: &&Leaf<'t>| {
        let is_declared = names.known.get(leaf.name).is_some_and(|one| one.is_member || one.is_top);
        let may_inherit = || {
            !heirs.is_empty() && ancestors(names.declarations, leaf.within).any(|(at, _)| heirs.contains(&at))
        };
        (MIN_NAME..=MAX_NAME).contains(&leaf.name.len())
            && (is_declared || may_inherit() || table.makers.contains(&leaf.name))
            && !table.words.contains(&leaf.name)
            && !mentioned.contains(&(leaf.at, leaf.name))
            && !names.new_names.contains(&leaf.at)
            && before(text, leaf.at, table.marks) == LeafPrefix::Nothing
            && !names.hidden.is(leaf.name, leaf.within, leaf.at)
    };
    let call = |leaf: &Leaf<'t>| {
        let call = Mention::new(leaf.at, ReferenceKind::Call, leaf.name, Cow::Borrowed(""));
        Mention { within: leaf.within, ..call }
    };
    leaves.iter().filter(is_called).map(call).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    #[test]
    fn a_name_without_parentheses_is_a_call_in_ruby() {
        let text = "class Cart < Base
  attr_reader :items
  def total; 1; end
  def ready?; true; end
  def run(items, total: 1, *rest, &block)
    items.each { |total| total }
    total
    rest
    block
  end
  def go
    prepare
    if total then items end
    found = inherited
    found
    other.total
    self.items
    @total
    first, *more = list
    more
    begin; go; rescue => failed; failed; end
    puts total
    send :total
  end
end
class Alone
  def go
    unknown
    total
  end
end
";
        let file = chunk(Language::from_name("ruby").unwrap(), text, &ChunkOptions::default());
        let calls = file.references.iter().filter(|one| one.kind == ReferenceKind::Call);
        let names = calls.filter(|one| one.qualifier.is_empty()).map(|one| one.name.as_str());
        let names: std::collections::BTreeSet<&str> = names.collect();
        let expected = ["go", "inherited", "items", "list", "other", "prepare", "puts", "send", "total"];
        assert_eq!(names.into_iter().collect::<Vec<_>>(), expected);
    }
}

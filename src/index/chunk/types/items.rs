//! Items of lists and maps, in expressions and in written types.
//!
//! An expression has [`AT`] behind a list or a map for the item at an index or a key
//! (`all[0].run()` → `all[]`), and [`EACH`] for what a loop over it takes. The type of an item is
//! an argument of the written type (`List<Log>`, `Map<K, Log>`), or what stands beside its brackets
//! (`[]Log`, `Log[]`).

use std::borrow::Cow;

use super::brackets::{Arguments, arguments, is_end};
use super::steps::Step;
use crate::index::chunk::table::Values;

/// Behind a list or a map, the item at an index or a key.
pub(super) const AT: &str = "[]";

/// Behind a list, the items that a loop takes.
pub(super) const EACH: &str = "[*]";

/// Members of maps that return their values.
const VALUES: [&str; 3] = ["Values", "values", "values_mut"];

/// What is taken of a value of a type.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Access<'e> {
    /// Whether its failure is passed on, so that the rest is left.
    pub(super) takes_failures: bool,
    /// The items that are taken, the outermost first, as in an expression: `[][*]`.
    pub(super) items: &'e str,
}

/// How an item is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemAccess {
    /// By an index or a key.
    At,
    /// By a loop.
    Each,
}

impl ItemAccess {
    /// Returns the type of the items of a type with arguments.
    pub(super) fn of<'t>(self, ty: &str, arguments: &Arguments<'t>, values: &Values) -> Option<&'t str> {
        // A map of Go.
        if values.has_lists && ty == "map" {
            return arguments.after.filter(|_| self == Self::At);
        }
        if !is_end(arguments.after?) {
            return None;
        }
        if values.items.sequences.contains(&ty) {
            return arguments.first;
        }
        arguments.last.filter(|_| self == Self::At && values.items.maps.contains(&ty))
    }
}

/// Splits the first access off a list of them.
pub(super) fn first_item(items: &str) -> Option<(ItemAccess, &str)> {
    let at = items.strip_prefix(AT).map(|rest| (ItemAccess::At, rest));
    at.or_else(|| items.strip_prefix(EACH).map(|rest| (ItemAccess::Each, rest)))
}

/// Returns whether a written expression takes an item.
pub(super) fn is_item(expression: &str) -> bool {
    expression.contains(AT) || expression.contains(EACH)
}

/// Returns the type of the items of a type that begins with a bracket (`[]Log`, `[Log; 3]`,
/// `[Log]`, `[Key: Log]`), or of a channel of Go. `None` if the text is another type; the inner
/// value is `None` if that type has no such items.
pub(super) fn item_in_brackets(text: &str, how: ItemAccess) -> Option<Option<&str>> {
    for channel in ["<-chan ", "chan "] {
        if let Some(item) = text.strip_prefix(channel) {
            return Some(Some(item).filter(|_| how == ItemAccess::Each));
        }
    }
    let inside = text.strip_prefix('[')?;
    let after = arguments(inside).after?;
    let content = inside.get(..inside.len() - after.len() - 1)?;
    if !is_end(after) {
        // Of Go. A loop takes its indexes.
        return Some(Some(after).filter(|_| how == ItemAccess::At));
    }
    let content = content.split(';').next().unwrap_or_default();
    let colon = content.match_indices(':').map(|one| one.0).find(|&at| {
        let (before, after) = (content.get(..at), content.get(at + 1..));
        !before.is_some_and(|it| it.ends_with(':')) && !after.is_some_and(|it| it.starts_with(':'))
    });
    Some(match colon {
        Some(at) => content.get(at + 1..).filter(|_| how == ItemAccess::At),
        None => Some(content).filter(|content| !content.contains(',')),
    })
}

/// A step of an expression with the items that it and the next ones take.
pub(super) struct ItemSteps<'e> {
    /// The items, as in [`Access::items`].
    pub(super) items: Cow<'e, str>,
    /// The number of steps.
    pub(super) n_steps: usize,
}

/// Returns what the steps from one on take of its value: `all.iter()[*]`, `all.get()`.
pub(super) fn taken<'e>(steps: &[Step<'e>], from: usize, values: &Values) -> Option<ItemSteps<'e>> {
    let first = steps.get(from)?;
    let mut found = ItemSteps { items: Cow::Borrowed(first.items), n_steps: 1 };
    let (mut items, mut n_steps) = (first.items.to_owned(), 1);
    for next in steps.get(from + 1..).unwrap_or_default() {
        let is_getter = next.is_call && values.items.getters.contains(&next.name);
        let has_values = VALUES.contains(&next.name);
        let is_view = (next.is_call || has_values) && values.items.views.contains(&next.name);
        if !is_getter && !is_view {
            break;
        }
        items.push_str(if is_getter { AT } else { "" });
        // The values of a map are what its keys give.
        match next.items.strip_prefix(EACH).filter(|_| has_values) {
            Some(rest) => items.extend([AT, rest]),
            None => items.push_str(next.items),
        }
        n_steps += 1;
        if is_getter || !next.items.is_empty() {
            found = ItemSteps { items: Cow::Owned(items.clone()), n_steps };
        }
    }
    Some(found)
}

impl<'e> ItemSteps<'e> {
    pub(super) fn access(&self, takes_failures: bool) -> Access<'_> {
        Access { takes_failures, items: &self.items }
    }
}

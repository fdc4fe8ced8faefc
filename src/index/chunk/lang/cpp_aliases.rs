//! Aliases of namespaces of C++: a text and its mentions → the mentions with the names of the
//! namespaces.
//!
//! An alias (`namespace sh = shop;`) counts in the file that declares it. If a file gives one name
//! to several namespaces, in several functions, the name stays as it is.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::mention::Mention;
use std::borrow::Cow;
use std::collections::HashMap;

/// The word in front of an alias.
const WORD: &str = "namespace ";

/// Writes the names of namespaces in place of their aliases.
pub(in crate::index::chunk) fn expand(text: &str, mentions: &mut [Mention<'_>]) {
    let aliases = declared(text);
    if aliases.is_empty() {
        return;
    }
    for one in mentions.iter_mut().filter(|one| one.kind != ReferenceKind::Import) {
        for path in [&mut one.qualifier, &mut one.alias] {
            let (first, rest) =
                path.split_once("::").map_or((&**path, None), |(first, rest)| (first, Some(rest)));
            let Some(Some(full)) = aliases.get(first) else { continue };
            *path = Cow::Owned(match rest {
                Some(rest) => format!("{full}::{rest}"),
                None => (*full).to_owned(),
            });
        }
    }
}

/// Returns the aliases that a text declares, each with its namespace; `None` if there are several.
fn declared(text: &str) -> HashMap<&str, Option<&str>> {
    let mut found: HashMap<&str, Option<&str>> = HashMap::new();
    for (at, _) in text.match_indices(WORD) {
        let behind = text.get(at + WORD.len()..).unwrap_or_default();
        let Some((alias, rest)) = behind.split_once('=') else { continue };
        let Some((full, _)) = rest.split_once(';') else { continue };
        let (alias, full) = (alias.trim(), full.trim().trim_start_matches("::"));
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if is_name(alias) && full.split("::").all(is_name) {
            let known = found.entry(alias).or_insert(Some(full));
            *known = known.filter(|known| *known == full);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn aliases_are_declared_behind_a_word() {
        let text = "namespace sh = shop;\nnamespace fs = ::std::filesystem;\nnamespace a { int x = 1; }\n\
                    namespace b = one; namespace b = two;\n";
        let mut found: Vec<_> = declared(text).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, [("b", None), ("fs", Some("std::filesystem")), ("sh", Some("shop"))]);
    }
}

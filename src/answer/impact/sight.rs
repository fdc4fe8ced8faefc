//! Which code still sees a declaration whose visibility became narrower: two versions → a
//! [`Sight`].
//!
//! What is private now is still seen by the code around it. So a change of visibility breaks only
//! references from further away.

use bstr::{BStr, ByteSlice};

use crate::answer::diff::{DeclarationChange, DeclarationPlace};
use crate::answer::view::Change;

use super::compatible::is_only_access_other;

/// How far a declaration is seen after a change that made it less visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reachability {
    /// In its file, and in its type elsewhere. In Rust also in the modules below.
    File,
    /// In the files of its folder.
    Folder,
    /// In its crate.
    Crate,
    /// In its module, whose files are not known.
    Module,
}

/// What sees a declaration after a change of its visibility.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sight {
    path: String,
    /// The symbol of the type around it; empty without one.
    outer: String,
    reach: Reachability,
}

impl Sight {
    /// Returns what sees a declaration, if its visibility is all that callers feel of the change.
    pub(super) fn of(one: &DeclarationChange) -> Option<Self> {
        let (Some(old), Some(new)) = (&one.old, &one.new) else { return None };
        let side = |at: &DeclarationPlace| (at.signature.clone(), at.name.clone());
        let sides = [side(old), side(new)];
        let is_other = old.signature == new.signature
            || is_only_access_other(&one.language, sides.each_ref().map(|(text, name)| (&**text, &**name)));
        let is_in_place = one.change == Change::Changed && old.symbol == new.symbol;
        let outer = new.symbol.strip_suffix(&new.name).unwrap_or_default();
        (is_in_place && is_other).then(|| Self {
            path: new.path.to_string(),
            outer: outer.trim_end_matches(['.', ':', '\\', '#']).to_owned(),
            reach: reach(&one.language, &new.signature),
        })
    }

    /// Returns whether code in a file and a declaration still sees it; `None` if that is unknown.
    pub(super) fn includes(&self, path: &BStr, symbol: &str) -> Option<bool> {
        let path = path.to_str_lossy();
        let is_inside = !self.outer.is_empty()
            && symbol.strip_prefix(self.outer.as_str()).is_some_and(|rest| rest.starts_with(['.', ':', '#']));
        let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        if path == self.path || is_inside {
            return Some(true);
        }
        match self.reach {
            Reachability::File => Some(self.path.ends_with(".rs") && path.starts_with(&below(&self.path))),
            Reachability::Folder => Some(folder(&path) == folder(&self.path)),
            Reachability::Crate => {
                let root = |path: &str| path.split_once("src/").map(|(root, _)| root.to_owned());
                Some(root(&path).is_some() && root(&path) == root(&self.path))
            }
            Reachability::Module => None,
        }
    }
}

/// The folder of the modules below a file of Rust.
fn below(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.trim_end_matches(".rs");
    let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    if matches!(stem, "lib" | "main" | "mod") { folder } else { format!("{folder}{stem}/") }
}

/// How far a signature is seen.
fn reach(language: &str, signature: &str) -> Reachability {
    let has = |word: &str| signature.split(|c: char| !c.is_alphanumeric()).any(|one| one == word);
    match language {
        "rust" if signature.starts_with("pub(crate)") => Reachability::Crate,
        "rust" if signature.starts_with("pub(") => Reachability::Folder,
        "java" if !has("private") => Reachability::Folder,
        "c-sharp" | "kotlin" | "scala" | "swift" if !has("private") && !has("fileprivate") => {
            Reachability::Module
        }
        _ => Reachability::File,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_around_a_declaration_still_sees_it() {
        for (path, outer, reach, from, symbol, expected) in [
            ("p/A.java", "A", Reachability::File, "p/A.java", "A.g", Some(true)),
            ("p/A.java", "A", Reachability::File, "p/B.java", "B.g", Some(false)),
            ("p/A.java", "A", Reachability::Folder, "p/B.java", "B.g", Some(true)),
            ("p/A.java", "A", Reachability::Folder, "q/B.java", "B.g", Some(false)),
            ("a.hpp", "A", Reachability::File, "a.cpp", "A::g", Some(true)),
            ("src/a.rs", "", Reachability::File, "src/a/b.rs", "g", Some(true)),
            ("src/a.rs", "", Reachability::File, "src/b.rs", "g", Some(false)),
            ("src/lib.rs", "", Reachability::File, "src/b.rs", "g", Some(true)),
            ("x/src/a.rs", "", Reachability::Crate, "x/src/b.rs", "g", Some(true)),
            ("x/src/a.rs", "", Reachability::Crate, "x/tests/b.rs", "g", Some(false)),
            ("A.swift", "", Reachability::Module, "B.swift", "g", None),
        ] {
            let sight = Sight { path: path.to_owned(), outer: outer.to_owned(), reach };
            assert_eq!(sight.includes(BStr::new(from), symbol), expected, "{path} {from}");
        }
    }
}

//! How files of the repository itself are completed: flushed to the disk, with their permissions.
//!
//! Owns [`Storage`], which every object, pack and ref that we write goes through before it gets its
//! name. The components of `core.fsync` and their defaults are Git's (`git-config(1)`): packs and
//! their indexes are flushed, loose objects and refs only if the user asks. `core.fsyncMethod` can
//! weaken a flush in Git; we flush fully, which no setting forbids.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::base::sharing::Sharing;
use crate::git::{Error, Repository, Result};

/// The kinds of files that Git tells apart, of those that we write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::git) enum Component {
    LooseObject,
    Pack,
    PackIndex,
    Ref,
}

impl Component {
    const fn bit(self) -> u8 {
        match self {
            Self::LooseObject => 1,
            Self::Pack => 2,
            Self::PackIndex => 4,
            Self::Ref => 8,
        }
    }
}

const LOOSE: u8 = Component::LooseObject.bit();
const PACK: u8 = Component::Pack.bit();
const PACK_INDEX: u8 = Component::PackIndex.bit();
const REF: u8 = Component::Ref.bit();

/// Git's names for the components. Those that we never write have no bit.
const NAMES: [(&str, u8); 11] = [
    ("loose-object", LOOSE),
    ("pack", PACK),
    ("pack-metadata", PACK_INDEX),
    ("commit-graph", 0),
    ("index", 0),
    ("objects", LOOSE | PACK),
    ("reference", REF),
    ("derived-metadata", PACK_INDEX),
    ("committed", LOOSE | PACK | REF),
    ("added", LOOSE | PACK | REF),
    ("all", LOOSE | PACK | PACK_INDEX | REF),
];

/// The components that are flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Durability(u8);

impl Default for Durability {
    fn default() -> Self {
        Self(PACK | PACK_INDEX)
    }
}

impl Durability {
    /// Reads `core.fsync` and the older `core.fsyncObjectFiles`. As in Git, an unknown component is
    /// ignored.
    fn new(components: Option<&str>, flushes_loose_objects: bool) -> Self {
        let (mut base, mut on, mut off) = (Self::default().0, 0, 0);
        for name in components.unwrap_or_default().split(',').map(str::trim) {
            let bits =
                |name: &str| NAMES.iter().find(|(known, _)| *known == name).map_or(0, |(_, bits)| *bits);
            match name.strip_prefix('-') {
                _ if name == "none" => base = 0,
                Some(name) => off |= bits(name),
                None => on |= bits(name),
            }
        }
        Self((base & !off) | on | if flushes_loose_objects { LOOSE } else { 0 })
    }

    fn has(self, component: Component) -> bool {
        self.0 & component.bit() != 0
    }
}

/// The settings by which files of the repository are completed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::git) struct Storage {
    pub(in crate::git) sharing: Sharing,
    /// Whether `core.sharedRepository` has a value that Git refuses. Then nothing is written.
    is_refused: bool,
    durability: Durability,
}

const SHARED: &str = "core.sharedRepository";

impl Storage {
    /// Reads the settings of a repository.
    pub(in crate::git) fn new(repo: &Repository) -> Self {
        let sharing = repo.config_string(SHARED).map(|value| Sharing::parse(&value));
        let flushes_loose_objects = repo.config_bool("core.fsyncObjectFiles").ok().flatten();
        let durability = Durability::new(
            repo.config_string("core.fsync").as_deref(),
            flushes_loose_objects.unwrap_or(false),
        );
        Self { is_refused: sharing == Some(None), sharing: sharing.flatten().unwrap_or_default(), durability }
    }

    /// Checks that something may be written. Git reads a repository whatever the setting is, too.
    pub(in crate::git) fn check(self, repo: &Repository) -> Result<()> {
        if !self.is_refused {
            return Ok(());
        }
        Err(Error::Config {
            key: SHARED.to_owned(),
            value: repo.config_string(SHARED).unwrap_or_default(),
            expected: "umask, group, all or an octal mode such as 0660",
        })
    }

    /// Completes a file that is about to get its name: flushes it and sets its permissions.
    pub(in crate::git) fn complete(self, component: Component, file: &File) -> io::Result<()> {
        self.sharing.apply_to_file(file)?;
        if self.durability.has(component) { file.sync_all() } else { Ok(()) }
    }

    /// Makes new names in a directory durable. Only Unix can open a directory for that.
    pub(in crate::git) fn complete_names(self, component: Component, dir: &Path) -> io::Result<()> {
        if cfg!(unix) && self.durability.has(component) {
            return File::open(dir)?.sync_all();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_those_of_git() {
        for (value, old, expected) in [
            (None, false, PACK | PACK_INDEX),
            (Some(""), false, PACK | PACK_INDEX),
            (None, true, PACK | PACK_INDEX | LOOSE),
            (Some("none"), false, 0),
            (Some("none,reference"), false, REF),
            (Some("reference, none"), false, REF),
            (Some("committed"), false, PACK | PACK_INDEX | LOOSE | REF),
            (Some("committed,-loose-object"), false, PACK | PACK_INDEX | LOOSE | REF),
            (Some("all,unheard-of"), false, PACK | PACK_INDEX | LOOSE | REF),
            (Some("-pack"), false, PACK_INDEX),
        ] {
            assert_eq!(Durability::new(value, old), Durability(expected), "{value:?} {old}");
        }
    }
}

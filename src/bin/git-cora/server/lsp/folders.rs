//! The folders that the client works in, and the repositories that they are in.
//!
//! Owns [`Folders`]. The server answers only about files of these repositories: a client that opens
//! any other file does not have its repository indexed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{Uri, WorkspaceFolder};

use super::uri::DocumentId;

/// The folders of the client.
#[derive(Debug, Clone, Default)]
pub(super) struct Folders(Arc<Vec<Folder>>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Folder {
    dir: PathBuf,
    /// The root of the repository around it, or itself.
    root: PathBuf,
}

/// Returns the nearest directory around a path that has a `.git`. The file need not exist. Whether
/// this is a repository is for Git to say.
fn root_around(path: &Path) -> Option<&Path> {
    path.ancestors().find(|dir| dir.join(".git").symlink_metadata().is_ok())
}

impl Folders {
    /// Returns the folders of these directories.
    pub(super) fn of(dirs: impl Iterator<Item = PathBuf>) -> Self {
        let mut folders = Self::default();
        dirs.for_each(|dir| folders.add(dir));
        folders
    }

    /// Returns the directories of addresses; others than `file:` are left out.
    pub(super) fn directories<'u>(uris: impl Iterator<Item = &'u Uri>) -> impl Iterator<Item = PathBuf> {
        uris.filter_map(|uri| Some(DocumentId::parse(uri).filter(|id| id.commit.is_none())?.path))
    }

    fn add(&mut self, dir: PathBuf) {
        let root = root_around(&dir).unwrap_or(&dir).to_owned();
        let folder = Folder { dir, root };
        if !self.0.contains(&folder) {
            Arc::make_mut(&mut self.0).push(folder);
        }
    }

    /// Applies a change of the client's folders.
    pub(super) fn change(&mut self, added: &[WorkspaceFolder], removed: &[WorkspaceFolder]) {
        let removed: Vec<PathBuf> = Self::directories(removed.iter().map(|one| &one.uri)).collect();
        Arc::make_mut(&mut self.0).retain(|folder| !removed.contains(&folder.dir));
        Self::directories(added.iter().map(|one| &one.uri)).for_each(|dir| self.add(dir));
    }

    /// Returns the roots of the repositories, each once, in order.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        let mut roots: Vec<PathBuf> = Vec::new();
        for folder in self.0.iter() {
            if !roots.contains(&folder.root) {
                roots.push(folder.root.clone());
            }
        }
        roots
    }

    /// Returns the root of the repository that a file is in; `None` if the client does not work in
    /// it.
    pub(super) fn root_of(&self, path: &Path) -> Option<PathBuf> {
        if let Some(root) = root_around(path) {
            let is_own = |folder: &Folder| folder.root == root || path.starts_with(&folder.dir);
            return self.0.iter().any(is_own).then(|| root.to_owned());
        }
        // A bare repository has no `.git`.
        let around = self.0.iter().filter(|folder| path.starts_with(&folder.root));
        around.map(|folder| &folder.root).max_by_key(|root| root.as_os_str().len()).cloned()
    }
}

#[cfg(test)]
#[cfg(not(windows))]
mod tests {
    use super::*;

    #[test]
    fn only_the_repositories_of_the_folders_are_answered_about() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        for repo in ["app/.git", "app/sub/.git", "other/.git", "bare.git/refs"] {
            std::fs::create_dir_all(at(repo)).unwrap();
        }
        std::fs::create_dir_all(at("app/src")).unwrap();
        let mut folders = Folders::of([at("app/src"), at("bare.git"), at("app/src")].into_iter());
        assert_eq!(folders.roots(), [at("app"), at("bare.git")]);
        for (path, expected) in [
            ("app/src/a.rs", Some("app")),
            ("app/gone/away.rs", Some("app")),
            // A submodule that is not in the folder.
            ("app/sub/a.rs", None),
            ("other/a.rs", None),
            ("bare.git/src/a.rs", Some("bare.git")),
            ("a.rs", None),
        ] {
            assert_eq!(folders.root_of(&at(path)), expected.map(at), "{path}");
        }
        let folder = |path: &str| WorkspaceFolder {
            uri: DocumentId { path: at(path), commit: None }.uri(),
            name: path.to_owned(),
        };
        folders.change(&[folder("app"), folder("other")], &[folder("bare.git"), folder("app/src")]);
        assert_eq!(folders.roots(), [at("app"), at("other")]);
        assert_eq!(folders.root_of(&at("app/sub/a.rs")), Some(at("app/sub")));
        assert_eq!(folders.root_of(&at("bare.git/a")), None);
    }
}

//! The introduction of a map: what a newcomer needs before any declaration.
//!
//! Index and texts → [`Introduction`]: what the repository is, where programs begin, and what each
//! folder is for. Everything is quoted from the repository, apart from what folders of a few names
//! have in every project.
//!
//! | file | what it finds |
//! |---|---|
//! | `about` | the sentence of a document that says what something is |
//! | `document`, `sentence` | the paragraphs of a document, the form of a sentence |
//! | `manifest` | the description of a package |
//! | `entries` | where programs begin |
//! | `folders` | what each folder is for |
//! | `needs` | the files that a file needs |

use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use super::explain::head_doc;
use super::view::Introduction;
use crate::search::graph::{DeclarationRef, Graph};
use crate::search::segment::FileView;

mod about;
mod document;
mod entries;
mod folders;
mod manifest;
mod needs;
mod sentence;

pub(super) use needs::FileNeeds;

/// Reads the texts of files.
pub(super) struct Sources<'t> {
    read: &'t mut dyn FnMut(&BStr) -> Option<Arc<str>>,
}

impl<'t> Sources<'t> {
    /// Creates a reader; `read` returns the text of a file.
    pub(super) fn new(read: &'t mut dyn FnMut(&BStr) -> Option<Arc<str>>) -> Self {
        Self { read }
    }

    fn text(&mut self, path: &BStr) -> Option<Arc<str>> {
        (self.read)(path)
    }
}

/// Writes the introduction. `important` are the main declarations, best first.
pub(super) fn introduce<'s>(
    graph: &Graph<'_, 's>,
    important: &[DeclarationRef],
    needs: &mut FileNeeds<'_, '_, 's>,
    mut sources: Sources<'_>,
) -> Introduction {
    let files: Vec<FileView<'s>> = graph.index().files().collect();
    let readme = of_root(&files, readme_rank).and_then(|(_, file)| sources.text(file.path()));
    let manifest = of_root(&files, manifest::manifest_rank);
    let manifest = manifest.and_then(|(name, file)| Some((name, sources.text(file.path())?)));
    let described = || manifest.as_ref().and_then(|(name, text)| manifest::description(name, text));
    let about = about::what_it_is(readme.as_deref().unwrap_or_default(), described);
    let name = about::subject(&about);
    let (folders, more_folders) = folders::folders(graph, &files, important, &mut sources, &about);
    let (entries, more_entries) = entries::entries(&files, needs, &mut sources, &name);
    Introduction { about, entries, more_entries, folders, more_folders }
}

/// Returns the best file at the root, by the rank of its name, with that name.
fn of_root<'s>(
    files: &[FileView<'s>],
    rank: impl Fn(&str) -> Option<usize>,
) -> Option<(&'s str, FileView<'s>)> {
    let named = files.iter().filter_map(|file| {
        let name = file.path().to_str().ok().filter(|path| !path.contains('/'))?;
        Some((rank(name)?, (name, *file)))
    });
    named.min_by_key(|one| one.0).map(|one| one.1)
}

/// Returns the place of a README among the forms of one, best first; `None` for another file.
fn readme_rank(name: &str) -> Option<usize> {
    const ENDS: [&str; 7] = [".md", ".markdown", ".rst", "", ".txt", ".adoc", ".asciidoc"];
    let name = name.to_ascii_lowercase();
    let end = name.strip_prefix("readme")?;
    ENDS.iter().position(|known| end == *known)
}

//! The context of a request: the repository of a document, the state to answer from, and the text
//! that the client shows.
//!
//! Owns [`Call`], [`OpenState`] and [`View`]. The index knows the text that was searched. The
//! client may show another one: an unsaved text, or the working tree while the answer is from a
//! commit. [`View`] converts places between the two.
//!
//! **Invariant.** A place is never converted to a line with another text. If its line changed, the
//! name must stand in the changed lines exactly once; otherwise the place is left out.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bstr::{BStr, BString};
use gen_lsp_types::{Position, Range, Uri};

use git_cora::answer::{Cursor, LineMap, names_at};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Cancel;
use git_cora::base::text::words;
use git_cora::git::{Blob, Head};
use git_cora::index::chunk::ByteRange;
use git_cora::index::record::IndexedFile;
use git_cora::index::source;
use git_cora::{Searcher, SessionError, Target};

use super::documents::Documents;
use super::failure::RequestError;
use super::folders::Folders;
use super::text::{Encoding, Text};
use super::uri::{self, DocumentId};
use super::{Client, Settings};
use crate::server::pool::{JobProgress, OpenRepository, RepositoryPool, SearcherState, WaitLimits};

/// Longest time that a request waits for an index. The client shows the progress meanwhile, and the
/// user may cancel.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Size limit of a file whose text is read, in bytes. Larger ones are data.
const MAX_BYTES: u64 = 16 << 20;

/// The context of a request, as it was when the request arrived.
pub(super) struct Call<'a> {
    pub(super) pool: &'a Arc<RepositoryPool>,
    pub(super) client: &'a Client,
    pub(super) documents: Documents,
    pub(super) folders: Folders,
    pub(super) settings: Settings,
    pub(super) cancel: &'a Cancel,
}

/// A document of a repository.
pub(super) struct RepositoryFile {
    pub(super) id: DocumentId,
    pub(super) root: PathBuf,
    pub(super) kept: Arc<OpenRepository>,
    /// Path from the root.
    pub(super) path: BString,
}

/// A repository in the state that an answer is from.
pub(super) struct OpenState {
    pub(super) root: PathBuf,
    pub(super) kept: Arc<OpenRepository>,
    pub(super) searcher: Arc<Searcher>,
    pub(super) revision: String,
    /// The commit; `None` for the working tree.
    pub(super) commit: Option<ObjectId>,
}

impl Call<'_> {
    /// Returns the repository around a document; `None` if there is none, or the client does not
    /// work in it.
    pub(super) fn file(&self, uri: &Uri) -> Result<Option<RepositoryFile>, RequestError> {
        let Some(id) = DocumentId::parse(uri) else { return Ok(None) };
        let Some(root) = self.folders.root_of(&id.path) else { return Ok(None) };
        let Some(path) = uri::relative(&root, &id.path) else { return Ok(None) };
        let Some(kept) = self.repository(&root)? else { return Ok(None) };
        Ok(Some(RepositoryFile { id, root, kept, path }))
    }

    /// Opens a repository; `None` if the directory is not one.
    pub(super) fn repository(&self, root: &Path) -> Result<Option<Arc<OpenRepository>>, RequestError> {
        match self.pool.open(root).map_err(RequestError::from) {
            Ok(kept) => Ok(Some(kept)),
            Err(error) if error.is_no_repository => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens the state that an answer about a file is from.
    pub(super) fn state_of(&self, file: &RepositoryFile) -> Result<OpenState, RequestError> {
        let commit = file.id.commit.map(|id| id.to_string());
        self.state(&file.root, &file.kept, commit.as_deref())
    }

    /// Opens the state of a repository that an answer is from: a commit, the revision of the
    /// settings, or the working tree.
    pub(super) fn state(
        &self,
        root: &Path,
        kept: &Arc<OpenRepository>,
        commit: Option<&str>,
    ) -> Result<OpenState, RequestError> {
        let (target, revision) = kept.target(commit.or(self.settings.revision.as_deref()))?;
        let tell = |_: &JobProgress| {};
        let wait = WaitLimits { patience: PATIENCE, cancel: self.cancel, tell: &tell };
        let searcher = match kept.reach(self.pool, &target, &wait)? {
            SearcherState::Exact(searcher) => searcher,
            // The lines of another commit would be wrong.
            SearcherState::Nearest(_, how_far) | SearcherState::Nothing(how_far) => {
                return Err(RequestError::failed(format!(
                    "not indexed yet: the index is being built in the background ({how_far})"
                )));
            }
        };
        let commit = match target {
            Target::Commit(commit) => Some(commit),
            Target::Worktree => None,
        };
        Ok(OpenState { root: root.to_owned(), kept: Arc::clone(kept), searcher, revision, commit })
    }

    /// Returns the text that the client shows of a document; `None` if there is no such text file.
    ///
    /// # Errors
    /// If the client has unsaved text that is not known.
    pub(super) fn shown(&self, file: &RepositoryFile) -> Result<Option<Arc<Text>>, RequestError> {
        match self.open_text(&file.id)? {
            Some((_, text)) => Ok(Some(text)),
            None => {
                Ok(read(&file.kept, file.path.as_ref(), file.id.commit)?
                    .map(|text| Arc::new(Text::new(text))))
            }
        }
    }

    /// Returns the text of a document, and its address as the client writes it, if it is open.
    fn open_text(&self, id: &DocumentId) -> Result<Option<(&Uri, Arc<Text>)>, RequestError> {
        match self.documents.get(id) {
            None => Ok(None),
            Some(document) => match &document.text {
                Some(text) => Ok(Some((&document.uri, Arc::clone(text)))),
                None => Err(RequestError::failed(format!(
                    "the server lost the text of '{}', because a change was too large or could not be applied; \
                     close the file and open it again",
                    document.uri
                ))),
            },
        }
    }
}

/// Returns the text of a file in the working tree or a commit; `None` if there is no such text.
/// Ignored files are not read.
pub(super) fn read(
    kept: &OpenRepository,
    path: &BStr,
    commit: Option<ObjectId>,
) -> Result<Option<String>, RequestError> {
    let repo = kept.session.repo();
    let blob = match commit {
        Some(commit) => repo.read_committed(repo.commit(commit)?.tree, path, MAX_BYTES)?,
        None => {
            let attributes = repo.attributes(tree(kept, None)?)?;
            repo.read_shared_as_stored(&attributes, path, MAX_BYTES)?.into_blob()
        }
    };
    Ok(match blob {
        Blob::Bytes(bytes) => source::text(&bytes).map(std::borrow::Cow::into_owned),
        Blob::TooLarge { .. } | Blob::Missing => None,
    })
}

/// Returns the tree of a commit; without one, the tree of `HEAD`.
fn tree(kept: &OpenRepository, commit: Option<ObjectId>) -> Result<ObjectId, RequestError> {
    let repo = kept.session.repo();
    let commit = match (commit, repo.head()?) {
        (Some(commit), _) => commit,
        (None, Head::Commit { id, .. }) => id,
        (None, Head::Unborn { .. }) => return Ok(repo.empty_tree()),
    };
    Ok(repo.commit(commit)?.tree)
}

/// Returns the declarations and chunks of a text, as an index would record them; `None` if an index
/// would skip the file.
pub(super) fn record(file: &RepositoryFile, text: &Text) -> Result<Option<IndexedFile>, RequestError> {
    let tree = tree(&file.kept, file.id.commit)?;
    let attributes = file.kept.session.repo().attributes(tree)?.of(file.path.as_ref());
    let content = Blob::Bytes(text.as_str().as_bytes().to_vec());
    Ok(file.kept.record(file.path.as_ref(), &content, &attributes))
}

impl OpenState {
    /// Reads from the index; a damaged cache is repaired first.
    pub(super) fn read<T>(
        &mut self,
        call: &Call<'_>,
        read: impl Fn(&Searcher) -> Result<T, SessionError>,
    ) -> Result<T, RequestError> {
        Ok(self.kept.read(&mut self.searcher, call.cancel, read)?)
    }

    /// Returns the views of the files of this state.
    pub(super) fn views<'c>(&'c self, call: &'c Call<'c>) -> Views<'c> {
        Views { call, state: self, known: HashMap::new() }
    }

    /// Returns the document of a file in this state.
    fn document(&self, path: &BStr) -> Option<DocumentId> {
        Some(DocumentId { path: uri::absolute(&self.root, path)?, commit: self.commit })
    }
}

/// The views of the files of one state, each made once.
pub(super) struct Views<'c> {
    call: &'c Call<'c>,
    state: &'c OpenState,
    known: HashMap<BString, Option<Rc<View>>>,
}

impl Views<'_> {
    /// Returns how the client shows a file of the state; `None` if a place in it can't be given.
    pub(super) fn get(&mut self, path: &BStr) -> Option<Rc<View>> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let view = self.make(path).map(Rc::new);
        self.known.insert(path.to_owned(), view.clone());
        view
    }

    fn make(&self, path: &BStr) -> Option<View> {
        let id = self.state.document(path)?;
        let indexed = Arc::new(Text::new(self.state.searcher.text(path)?));
        let encoding = self.call.client.encoding;
        // A place in a text that is not known is left out.
        Some(match self.call.open_text(&id).ok()? {
            Some((uri, text)) => View::new(uri.clone(), text, indexed, encoding),
            None => View::new(id.uri(), Arc::clone(&indexed), indexed, encoding),
        })
    }

    /// Returns how the client shows the document of a request. It may be one of the working tree
    /// while the answer is from a commit.
    pub(super) fn of(&mut self, file: &RepositoryFile) -> Result<Option<Rc<View>>, RequestError> {
        let Some(indexed) = self.state.searcher.text(file.path.as_ref()) else { return Ok(None) };
        let indexed = Arc::new(Text::new(indexed));
        let shown = match self.call.open_text(&file.id)? {
            Some((_, text)) => text,
            None if file.id.commit == self.state.commit => Arc::clone(&indexed),
            None => match self.call.shown(file)? {
                Some(text) => text,
                None => return Ok(None),
            },
        };
        let view = View::new(file.id.uri(), shown, indexed, self.call.client.encoding);
        Ok(Some(Rc::new(view)))
    }
}

/// A file as the client shows it, and as it was searched.
pub(super) struct View {
    pub(super) uri: Uri,
    pub(super) shown: Arc<Text>,
    pub(super) indexed: Arc<Text>,
    /// The changed lines; `None` if there are none.
    map: Option<LineMap>,
    encoding: Encoding,
}

/// A place of the client in the searched text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Byte(u32),
    /// The line is new: the name there, and the nearest byte.
    New {
        name: String,
        near: u32,
    },
}

impl Place {
    pub(super) fn cursor(&self) -> Cursor<'_> {
        match self {
            Self::Byte(byte) => Cursor::Byte(*byte),
            Self::New { name, near } => Cursor::New { name, near: *near },
        }
    }
}

impl View {
    fn new(uri: Uri, shown: Arc<Text>, indexed: Arc<Text>, encoding: Encoding) -> Self {
        let is_same = Arc::ptr_eq(&shown, &indexed) || shown.as_str() == indexed.as_str();
        let map = (!is_same).then(|| LineMap::of(indexed.lines(), shown.lines()));
        let map = map.filter(|map| !map.is_same());
        Self { uri, shown, indexed, map, encoding }
    }

    /// Returns a place of the client in the searched text; `None` if there is no name in a changed
    /// line.
    pub(super) fn place(&self, at: Position) -> Option<Place> {
        let line = match &self.map {
            None => Ok(at.line),
            Some(map) => map.to_old(at.line),
        };
        match line {
            Ok(line) => Some(Place::Byte(self.indexed.byte(Position { line, ..at }, self.encoding))),
            Err(lines) => {
                let byte = self.shown.byte(at, self.encoding);
                let name = names_at(self.shown.as_str(), byte).last()?.of(self.shown.as_str()).to_owned();
                Some(Place::New { name, near: self.indexed.start(lines.start) })
            }
        }
    }

    /// Returns a range of the searched text, within one line, as the client shows it. `name` is the
    /// text that stands there.
    pub(super) fn range(&self, range: ByteRange) -> Option<Range> {
        let place = self.indexed.position(range.start, self.encoding);
        let end = self.indexed.position(range.end, self.encoding);
        let Some(map) = &self.map else { return Some(Range { start: place, end }) };
        match map.to_new(place.line) {
            Ok(line) => Some(Range {
                start: Position { line, ..place },
                end: Position { line: line.saturating_add(end.line - place.line), ..end },
            }),
            Err(lines) => {
                let name = range.of(self.indexed.as_str());
                let start = self.shown.start(lines.start) as usize;
                let changed = self.shown.as_str().get(start..self.shown.start(lines.end) as usize)?;
                let mut places = words(changed, name);
                let only = places.next().filter(|_| !name.is_empty() && places.next().is_none())?;
                let byte = |at: usize| u32::try_from(start + at).unwrap_or(u32::MAX);
                let found = ByteRange { start: byte(only), end: byte(only + name.len()) };
                Some(self.shown.range(found, self.encoding))
            }
        }
    }

    /// Returns a range over several lines as the client shows it; the range of the name in it if an
    /// end of it changed.
    pub(super) fn span(&self, span: ByteRange, name: Range) -> Range {
        let start = self.indexed.position(span.start, self.encoding);
        let end = self.indexed.position(span.end, self.encoding);
        let line = |line: u32| match &self.map {
            None => Some(line),
            Some(map) => map.to_new(line).ok(),
        };
        match (line(start.line), line(end.line)) {
            (Some(from), Some(to)) if from <= name.start.line && to >= name.end.line => {
                Range { start: Position { line: from, ..start }, end: Position { line: to, ..end } }
            }
            _ => name,
        }
    }

    /// Returns the text of a line of the index, without surrounding blanks, as a range.
    pub(super) fn index_line(&self, line: u32) -> ByteRange {
        let start = self.indexed.start_of_index_line(line);
        let text = self.indexed.line(self.indexed.line_of(start));
        let n_before = u32::try_from(text.len() - text.trim_start().len()).unwrap_or(0);
        let len = u32::try_from(text.trim().len()).unwrap_or(0);
        ByteRange { start: start + n_before, end: start + n_before + len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(indexed: &str, shown: &str) -> View {
        let text = |text: &str| Arc::new(Text::new(text));
        View::new(Uri("file:///a".to_owned()), text(shown), text(indexed), Encoding::Utf16)
    }

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    fn range_of(view: &View, name: &str) -> Option<(u32, u32)> {
        let start = u32::try_from(view.indexed.as_str().find(name).unwrap()).unwrap();
        let end = start + u32::try_from(name.len()).unwrap();
        let range = view.range(ByteRange { start, end })?;
        Some((range.start.line, range.start.character))
    }

    #[test]
    fn places_in_unchanged_lines_are_converted_exactly() {
        let view = view("one\ntwo()\nthree()\n", "new\none\n🙂\ntwo()\nthree()\n");
        assert_eq!(view.place(at(3, 1)), Some(Place::Byte(5)));
        assert_eq!(range_of(&view, "three"), Some((4, 0)));
        let near = Place::New { name: "new".to_owned(), near: 0 };
        assert_eq!(view.place(at(0, 1)), Some(near));
        assert_eq!(view.place(at(2, 0)), None, "no name stands there");
    }

    #[test]
    fn a_changed_line_is_found_by_its_name_or_left_out() {
        let changed = view("a\nfn send(url)\nb\n", "a\n// x\nfn send(url, n)\nb\n");
        assert_eq!(range_of(&changed, "send"), Some((2, 3)));
        let twice = view("a\nfn send(url)\nb\n", "a\nfn send(send)\nb\n");
        assert_eq!(range_of(&twice, "send"), None);
        let part = view("a\nfn send(url)\nb\n", "a\nfn send_all(url)\nb\n");
        assert_eq!(range_of(&part, "send"), None);
        let removed = view("a\nfn send(url)\nb\n", "a\nb\n");
        assert_eq!(range_of(&removed, "send"), None);
    }

    #[test]
    fn ends_of_lines_are_no_change() {
        let view = view("a\r\nb\r\n", "a\nb\n");
        assert!(view.map.is_none());
        assert_eq!(view.place(at(1, 0)), Some(Place::Byte(3)));
        assert_eq!(range_of(&view, "b"), Some((1, 0)));
    }
}

//! Sets which declarations of two commits others can't reach, though their own files make them
//! public.
//!
//! The index of a commit says which files import a name, and its texts say which of them export it
//! again. A commit is opened only if a declaration there depends on other files.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use crate::answer::diff::{DeclarationChange, DeclarationPlace};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::index::Indexer;
use crate::index::chunk::ReferenceKind;
use crate::search::segment::{FileView, Index, path_flags};
use crate::search::{Error, Result, Searcher, Target};

use super::Visibility;
use super::exports::ModuleLanguage;
use super::module_path::{ModulePath, written_stem};
use super::reach::{ModuleFiles, Reach};

/// Most files that are searched for a re-export of one name, in order of their paths.
const MAX_IMPORTERS: usize = 5000;

/// Makes declarations internal that can't be reached from outside of their package in the commit
/// before a change, and in the one after it. Tests are left as they are.
pub(in crate::answer) fn hide_unreachable(
    indexer: &Indexer,
    commits: [ObjectId; 2],
    changes: &mut [DeclarationChange],
    task: Task<'_>,
) -> Result<()> {
    let sides: [fn(&mut DeclarationChange) -> &mut Option<DeclarationPlace>; 2] =
        [|one| &mut one.old, |one| &mut one.new];
    for (commit, side) in commits.into_iter().zip(sides) {
        let mut open: Vec<(ModuleLanguage, &mut DeclarationPlace)> = Vec::new();
        for one in changes.iter_mut() {
            let language = ModuleLanguage::of(&one.language);
            let is_test = one.kind == "test";
            let (Some(language), Some(at)) = (language, side(one)) else { continue };
            let is_open = at.visibility == Visibility::Public && at.outermost.is_some();
            if is_open && !is_test && !path_flags(at.path.as_bstr()).is_test() {
                open.push((language, at));
            }
        }
        if open.is_empty() {
            continue;
        }
        let searcher = Searcher::open(indexer, &Target::Commit(commit), task)?;
        let read = |searcher: &Searcher| reachable(searcher, &open, task);
        let (found, _) = searcher.with_repair(indexer, task, read, |error: &Error| Some(error))?;
        for ((_, at), is_reachable) in open.into_iter().zip(found) {
            if !is_reachable {
                at.visibility = Visibility::Internal;
            }
        }
    }
    Ok(())
}

/// Returns which declarations others can reach, in their order.
fn reachable(
    searcher: &Searcher,
    places: &[(ModuleLanguage, &mut DeclarationPlace)],
    task: Task<'_>,
) -> Result<Vec<bool>> {
    let files =
        CommitFiles { searcher, index: searcher.index(), by_stem: OnceCell::new(), globs: OnceCell::new() };
    let reach = Reach::new(&files);
    let mut found = Vec::with_capacity(places.len());
    for (language, at) in places {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        found.push(match (&at.outermost, at.path.to_str()) {
            (Some(outermost), Ok(path)) => reach.has(*language, path, &outermost.within, &outermost.name)?,
            _ => true,
        });
    }
    Ok(found)
}

/// The files of a commit, and what its index says about them.
struct CommitFiles<'s> {
    searcher: &'s Searcher,
    index: Index<'s>,
    /// Scripts by the last names of the modules that they import.
    by_stem: OnceCell<HashMap<String, BTreeSet<String>>>,
    globs: OnceCell<Vec<GlobImport>>,
}

impl ModuleFiles for CommitFiles<'_> {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        let path = BStr::new(path);
        // Most paths that are asked for are guesses.
        self.index.file_by_path(path)?;
        self.searcher.text(path)
    }

    fn importers(&self, language: ModuleLanguage, module: &ModulePath, name: &str) -> Result<Vec<String>> {
        if language == ModuleLanguage::Script {
            let by_stem = made_once(&self.by_stem, || self.scripts_by_stem())?;
            let of = |stem: &str| by_stem.get(stem).into_iter().flatten();
            let found = of(module.stem()).chain(of(""));
            return Ok(found.take(MAX_IMPORTERS).cloned().collect());
        }
        let named = self.files_importing(language, name)?;
        let globs = made_once(&self.globs, || self.globs())?;
        let by_glob: BTreeSet<&String> = globs
            .iter()
            .filter(|one| one.may_be_of(language, module))
            .map(|one| &one.path)
            .filter(|path| !named.contains(*path))
            .collect();
        // An import by name is more likely meant.
        Ok(named.iter().chain(by_glob).take(MAX_IMPORTERS).cloned().collect())
    }
}

/// Returns the value of a cell, which is made first if it is empty.
fn made_once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

/// An import of all names of a module of Python or Rust.
struct GlobImport {
    language: ModuleLanguage,
    /// The file that imports.
    path: String,
    /// The module of that file.
    site: ModulePath,
    /// The module as it is written.
    module: String,
}

impl GlobImport {
    /// Returns whether it may import the names of a module. In which module of its file it is, an
    /// index does not say.
    fn may_be_of(&self, language: ModuleLanguage, module: &ModulePath) -> bool {
        self.language == language && module.may_be_written(language, &self.path, &self.site, &self.module)
    }
}

/// A chunk with an import.
struct ImportingChunk<'s> {
    file: FileView<'s>,
    ord: u32,
}

impl CommitFiles<'_> {
    /// Returns the live chunks that import something of this name, each with its file.
    fn importing(&self, name: &str) -> Result<Vec<ImportingChunk<'_>>> {
        let mut found = Vec::new();
        for (part, segment) in self.index.segments() {
            for ord in segment.references(ReferenceKind::Import, name)? {
                let file = segment.chunk(ord).map(|row| row.file);
                let file = file.filter(|file| self.index.is_live(part, *file));
                let file = file.and_then(|file| self.index.file(part, file));
                found.extend(file.map(|file| ImportingChunk { file, ord }));
            }
        }
        Ok(found)
    }

    /// Returns the files that import something of this name, by their paths.
    fn files_importing(&self, language: ModuleLanguage, name: &str) -> Result<BTreeSet<String>> {
        let found = self.importing(name)?;
        Ok(found.iter().filter_map(|one| exporter(&one.file, language)).collect())
    }

    /// Returns the imports of all names of a module.
    fn globs(&self) -> Result<Vec<GlobImport>> {
        let has_file = |path: &str| self.index.file_by_path(BStr::new(path)).is_some();
        let mut found = Vec::new();
        for ImportingChunk { file, ord } in self.importing("*")? {
            for language in [ModuleLanguage::Python, ModuleLanguage::Rust] {
                let Some(path) = exporter(&file, language) else { continue };
                let Some(site) = ModulePath::of_file(language, &path, &has_file) else { continue };
                for import in file.segment.imports(ord)?.iter().filter(|one| one.name == "*") {
                    let (path, site) = (path.clone(), site.clone());
                    let module = import.qualifier.to_owned();
                    found.push(GlobImport { language, path, site, module });
                }
            }
        }
        Ok(found)
    }

    fn scripts_by_stem(&self) -> Result<HashMap<String, BTreeSet<String>>> {
        let mut found: HashMap<String, BTreeSet<String>> = HashMap::new();
        for file in self.index.files() {
            let Some(path) = exporter(&file, ModuleLanguage::Script) else { continue };
            for chunk in file.segment.chunks_of(file.ord) {
                for import in file.segment.imports(chunk)? {
                    let stem = written_stem(import.qualifier.trim_matches(['"', '\'']));
                    found.entry(stem.to_owned()).or_default().insert(path.clone());
                }
            }
        }
        Ok(found)
    }
}

/// The path of a file that may export names of a language; `None` for others and for tests.
fn exporter(file: &FileView<'_>, language: ModuleLanguage) -> Option<String> {
    let is_of_language = ModuleLanguage::of(file.language()) == Some(language);
    let path = (is_of_language && !file.flags().is_test()).then(|| file.path().to_str().ok())?;
    path.map(str::to_owned)
}

//! The served repositories, and the meaning of the paths that agents write.
//!
//! If several repositories are served, each path begins with the name of its repository; for a
//! single one it is relative to the root. Absolute paths are accepted as well. Owns this mapping in
//! both directions and the merging of answers.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use git_cora::SessionError;
use git_cora::answer::view::{Results, visible};
use git_cora::answer::{follow, merge};
use git_cora::base::path::below;
use git_cora::base::text::{named_path, quoted};
use git_cora::base::threads;
use git_cora::search::query::{Pathspec, strays};

use super::reply::{self, CallError, State, Stop};
use super::{Call, PATIENCE};
use crate::input::place::splits;
use crate::server::pool::{JobProgress, OpenRepository, WaitLimits};

/// A served repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ServedRepository {
    /// Prefix of its paths if several repositories are served; unique.
    pub(crate) name: String,
    /// A directory in the repository.
    pub(crate) dir: PathBuf,
}

/// Names repositories after their directories. Duplicate directories are dropped; equal names get a
/// number.
pub(crate) fn served(dirs: impl IntoIterator<Item = PathBuf>) -> Vec<ServedRepository> {
    let mut all: Vec<ServedRepository> = Vec::new();
    for dir in dirs {
        if all.iter().any(|one| one.dir == dir) {
            continue;
        }
        let last = dir.file_name().map(|name| name.to_string_lossy().into_owned());
        let last = last.filter(|name| !name.is_empty()).unwrap_or_else(|| "repository".to_owned());
        let is_free = |name: &String| !all.iter().any(|one| one.name == *name);
        let numbered = (2..).map(|n| format!("{last}-{n}"));
        let name = std::iter::once(last.clone()).chain(numbered).find(is_free).unwrap_or(last);
        all.push(ServedRepository { name, dir });
    }
    all
}

/// Returns the instructions to the agent about paths.
pub(super) fn instructions(served: &[ServedRepository]) -> String {
    let [_, _, ..] = served else { return "Paths are from the root of the repository.".to_owned() };
    let names: Vec<String> = served
        .iter()
        .map(|one| format!("{} ({})", visible(&one.name), visible(&one.dir.to_string_lossy())))
        .collect();
    format!(
        "Several repositories are open: {}. In replies and arguments, every path begins with the \
        name of its repository, followed by the path from its root. The name alone means the \
        whole repository. If no 'path' names a repository, all are searched, and references \
        between them are followed.",
        names.join(", ")
    )
}

/// A repository opened for a call.
pub(super) struct CallRepository {
    /// Position among the served repositories.
    pub(super) at: usize,
    pub(super) kept: Arc<OpenRepository>,
    pub(super) state: State,
    /// Pathspecs, relative to its root.
    pub(super) specs: Vec<String>,
}

/// A repository that was opened, with the state to search.
type OpenOutcome = Result<(Arc<OpenRepository>, State), Stop>;

impl Call<'_> {
    /// Whether paths begin with the name of a repository.
    pub(super) fn is_several(&self) -> bool {
        self.served.len() > 1
    }

    /// Returns the prefix of a repository's paths; empty if only one is served.
    pub(super) fn name(&self, at: usize) -> &str {
        let name = self.served.get(at).map(|one| one.name.as_str()).unwrap_or_default();
        if self.is_several() { name } else { "" }
    }

    /// Returns a repository, opened if necessary.
    pub(super) fn kept(&self, at: usize) -> Result<Arc<OpenRepository>, CallError> {
        let Some(one) = self.served.get(at) else { return Err(CallError::new("there is no repository")) };
        Ok(self.pool.open(&one.dir)?)
    }

    /// Returns the directory that absolute paths of a repository begin with.
    ///
    /// For one of several, this is its directory. A single one may be served from any directory in
    /// it, so it is the root.
    fn root(&self, at: usize) -> Option<PathBuf> {
        if self.is_several() {
            return self.served.get(at).map(|one| one.dir.clone());
        }
        Some(self.kept(at).ok()?.session.repo().work_dir()?.to_owned())
    }

    /// Returns the repository of a path, by its name or its directory, and the path relative to the
    /// root.
    fn split<'p>(&self, path: &'p str, ignores_case: bool) -> Option<(usize, Cow<'p, str>)> {
        // A path that is not UTF-8 is quoted, with the name of its repository.
        if let Some(path) = path.strip_prefix('"').filter(|path| !path.starts_with('"')) {
            let (at, path) = self.split(path, ignores_case)?;
            return Some((at, format!("\"{path}").into()));
        }
        if Path::new(path).is_absolute() {
            // The innermost repository wins if one contains another.
            let inside = (0..self.served.len()).filter_map(|at| {
                let rest = below(&self.root(at)?, Path::new(path))?;
                Some((at, rest.to_str()?.to_owned()))
            });
            return inside.min_by_key(|(_, rest)| rest.len()).map(|(at, rest)| (at, rest.into()));
        }
        let served = || self.served.iter().enumerate().filter(|_| self.is_several());
        let path = path.strip_prefix("./").unwrap_or(path);
        served().find_map(|(at, one)| {
            let (name, rest) = path.split_at_checked(one.name.len())?;
            let is_name = name == one.name || ignores_case && name.eq_ignore_ascii_case(&one.name);
            let rest = if rest.is_empty() { rest } else { rest.strip_prefix('/')? };
            is_name.then_some((at, rest.into()))
        })
    }

    /// Returns the repository of a file and the path relative to its root.
    pub(super) fn file<'p>(&self, path: &'p str) -> Result<(usize, Cow<'p, str>), CallError> {
        if !self.is_several() {
            return Ok(self.split(path, false).unwrap_or((0, path.into())));
        }
        self.split(path, false).ok_or_else(|| {
            let has = |one: &&super::ServedRepository| one.dir.join(path).exists();
            let mut names: Vec<&str> = self.served.iter().filter(has).map(|one| one.name.as_str()).collect();
            if names.is_empty() {
                names = self.served.iter().map(|one| one.name.as_str()).collect();
            }
            let begun: Vec<String> = names.iter().map(|name| format!("'{}'", begun(name, path))).collect();
            CallError::with_hint(
                format!("'{path}' does not begin with the name of a repository"),
                format!("write {}", begun.join(" or ")),
            )
        })
    }

    /// Returns PATH:SYMBOL or PATH:LINE with its path relative to the root, and the repository that
    /// the path names. Any other name stays as it is.
    pub(super) fn symbol<'n>(&self, name: &'n str) -> (Option<usize>, Cow<'n, str>) {
        for (path, rest) in splits(name) {
            if let Some((at, path)) = self.split(path, false).filter(|(_, path)| !path.is_empty()) {
                return (Some(at), format!("{path}:{rest}").into());
            }
        }
        (None, name.into())
    }

    /// Assigns pathspecs to repositories.
    ///
    /// If a positive pathspec names a repository, only those named are chosen; otherwise all are. A
    /// pathspec without a name applies to each chosen repository.
    pub(super) fn chosen(&self, specs: &[String]) -> Vec<(usize, Vec<String>)> {
        if !self.is_several() {
            let own = |spec: &String| {
                let (magic, path) = Pathspec::split_magic(spec).unwrap_or(("", spec));
                let path = self.split(path, false).map_or(path.into(), |one| one.1);
                // The root alone restricts nothing. An invalid pathspec is kept, and reported where
                // it is used.
                (!path.is_empty() || Pathspec::parse(spec).is_err()).then(|| format!("{magic}{path}"))
            };
            return vec![(0, specs.iter().filter_map(own).collect())];
        }
        struct RepositoryAddress<'s> {
            magic: &'s str,
            at: Option<usize>,
            path: Cow<'s, str>,
            excludes: bool,
        }
        let parted: Vec<RepositoryAddress<'_>> = specs
            .iter()
            .map(|spec| {
                // An invalid pathspec is kept, and reported where it is used.
                let (magic, path) = Pathspec::split_magic(spec).unwrap_or(("", spec));
                let read = Pathspec::parse(spec).ok();
                let excludes = read.as_ref().is_some_and(Pathspec::is_exclusion);
                match self.split(path, read.is_some_and(|spec| spec.ignores_case())) {
                    Some((at, path)) => RepositoryAddress { magic, at: Some(at), path, excludes },
                    None => RepositoryAddress { magic, at: None, path: path.into(), excludes },
                }
            })
            .collect();
        let is_named = |at: usize| parted.iter().any(|one| one.at == Some(at) && !one.excludes);
        let all = || 0..self.served.len();
        let is_any_named = all().any(is_named);
        all()
            .filter(|&at| is_named(at) || !is_any_named)
            .filter_map(|at| {
                let own = || parted.iter().filter(|one| one.at.is_none_or(|of| of == at));
                // The name of a repository alone means all of it, whatever other pathspecs it has.
                let mut is_all = own().filter(|one| one.at.is_some() && one.path.is_empty());
                if is_all.clone().any(|one| one.excludes) {
                    return None;
                }
                let is_all = is_all.next().is_some();
                let specs = own().filter(|one| !one.path.is_empty() && (one.excludes || !is_all));
                Some((at, specs.map(|one| format!("{}{}", one.magic, one.path)).collect()))
            })
            .collect()
    }

    /// Opens the repositories that pathspecs are about.
    ///
    /// If at least one is open, the problems of the others become notes.
    ///
    /// # Errors
    /// [`Stop::NotIndexed`] if nothing is ready yet in any of them.
    pub(super) fn open(&self, specs: &[String], rev: Option<&str>) -> Result<Vec<CallRepository>, Stop> {
        let (mut open, mut notes, mut troubles) = (Vec::new(), Vec::new(), Vec::new());
        let chosen = self.chosen(specs);
        let reached = self.reach(&chosen, rev);
        for ((at, specs), reached) in chosen.into_iter().zip(reached) {
            let name = self.name(at);
            let of = |text: String| if name.is_empty() { text } else { format!("{}: {text}", visible(name)) };
            match reached {
                Ok((kept, mut state)) => {
                    if !state.notes.is_empty() {
                        state.notes = of(state.notes);
                    }
                    open.push(CallRepository { at, kept, state, specs });
                }
                Err(Stop::NotIndexed(text)) => notes.push(of(text)),
                Err(Stop::Error(trouble)) => troubles.push(trouble.of(name)),
            }
        }
        if open.is_empty() {
            return Err(match troubles.into_iter().next() {
                Some(trouble) if notes.is_empty() => Stop::Error(trouble),
                _ if notes.is_empty() => CallError::new("'path' matches no repository").into(),
                _ => Stop::NotIndexed(notes.join("\n")),
            });
        }
        notes.extend(troubles.iter().map(|trouble| trouble.message().to_owned()));
        if let Some(first) = open.first_mut() {
            notes.iter().for_each(|text| first.state.notes.push_str(&format!("note: {}\n", visible(text))));
        }
        Ok(open)
    }

    /// Returns notes about the paths that match no file of the opened repositories.
    ///
    /// # Errors
    /// If every path that does not exclude is one of these. That is an error rather than an empty
    /// answer, since the agent most likely misspelled the path.
    pub(super) fn strays(&self, open: &[CallRepository], paths: &[String]) -> Result<String, CallError> {
        let parse = |spec: &String| Pathspec::parse(spec).map_err(SessionError::from);
        let excludes = |spec: &&String| Pathspec::parse(spec).is_ok_and(|spec| spec.is_exclusion());
        let included = paths.iter().filter(|path| !excludes(path));
        let (mut notes, mut first, mut is_any_found) = (String::new(), None, false);
        let exclusions: Vec<Vec<String>> =
            open.iter().map(|one| one.specs.iter().filter(excludes).cloned().collect()).collect();
        for path in included {
            let chosen = self.chosen(std::slice::from_ref(path));
            let mut is_found = false;
            for (CallRepository { at, state, .. }, exclusions) in open.iter().zip(&exclusions) {
                let Some((_, own)) = chosen.iter().find(|(of, _)| of == at) else { continue };
                let specs = own.iter().chain(exclusions);
                let specs = specs.map(parse).collect::<Result<Vec<_>, _>>()?;
                let index = state.searcher.index();
                // The name of a repository alone restricts nothing, so `own` may be empty.
                is_found |= strays(&specs, index.files().map(|file| file.path())).is_empty();
            }
            if is_found {
                is_any_found = true;
            } else {
                let _ = writeln!(notes, "note: no file matches '{}'", visible(path));
                first.get_or_insert(path);
            }
        }
        match first {
            Some(first) if !is_any_found => Err(CallError::with_hint(
                format!("no file matches '{first}'"),
                "paths are from the root of the repository; leave 'path' out to search all of it",
            )),
            _ => Ok(notes),
        }
    }

    /// Opens repositories in parallel, so that none waits for the index of another.
    fn reach(&self, chosen: &[(usize, Vec<String>)], rev: Option<&str>) -> Vec<OpenOutcome> {
        let (pool, served, cancel) = (&self.pool, self.served, self.cancel);
        let reach = |at: usize, tell: &dyn Fn(&JobProgress)| -> OpenOutcome {
            let Some(one) = served.get(at) else {
                return Err(CallError::new("there is no repository").into());
            };
            let kept = pool.open(&one.dir)?;
            let state = reply::state(pool, &kept, rev, &WaitLimits { patience: PATIENCE, cancel, tell })?;
            Ok((kept, state))
        };
        if let [(at, _)] = chosen {
            return vec![reach(*at, self.tell)];
        }
        threads::each(chosen, |(at, _)| reach(*at, &|_| {}))
    }

    /// Merges the answers of several repositories, best first, at most `limit` results. Their paths
    /// get the prefixes.
    pub(super) fn merged(
        &self,
        open: &[CallRepository],
        mut answers: Vec<Results>,
        limit: usize,
    ) -> Result<Results, CallError> {
        // Those of the searchers stand above the reply.
        let known = open.iter().flat_map(|one| &one.state.searcher.warnings);
        let known: BTreeSet<&String> = known.collect();
        for answer in &mut answers {
            answer.warnings.retain(|warning| !known.contains(warning));
        }
        let mut results = merge(answers, limit);
        if !self.is_several() {
            return Ok(results);
        }
        let all: Vec<_> = open.iter().map(|one| &*one.state.searcher).collect();
        let names: Vec<&str> = open.iter().map(|one| self.name(one.at)).collect();
        follow(&all, Some(&names), results.results.iter_mut())?;
        results.is_named = true;
        let name = |repository: usize| names.get(repository).copied().unwrap_or_default();
        name(0).clone_into(&mut results.repository.path);
        for (other, at) in results.others.iter_mut().zip(1..) {
            name(at).clone_into(&mut other.repository.path);
        }
        for item in &mut results.results {
            name(item.repository).clone_into(&mut item.checkout);
        }
        Ok(results)
    }
}

/// Returns a path as agents read and write it; `name` is the repository's prefix, empty for the
/// only one.
pub(super) fn begun(name: &str, path: &str) -> String {
    if name.is_empty() {
        return path.to_owned();
    }
    quoted(begun_path(name, named_path(path).as_bstr()).as_bstr()).into_owned()
}

/// Returns a path that begins with the name of its repository, as [`begun`] does, without quotes.
pub(super) fn begun_path(name: &str, path: &BStr) -> BString {
    if name.is_empty() { path.to_owned() } else { [name.as_bytes(), b"/", path].concat().into() }
}

/// Returns the notes of all repositories, to stand above their answer.
pub(super) fn notes(open: &[CallRepository]) -> String {
    open.iter().map(|one| one.state.notes.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use git_cora::base::progress::Cancel;

    #[test]
    fn names_are_unlike() {
        let all = served(["/a/lib", "/b/lib", "/a/lib", "/", "/c/lib-2", "/d/lib"].map(PathBuf::from));
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["lib", "lib-2", "repository", "lib-2-2", "lib-3"]);
        assert_eq!(instructions(&all[..1]), "Paths are from the root of the repository.");
        assert!(instructions(&all).contains("lib (/a/lib), lib-2 (/b/lib)"));
    }

    #[test]
    fn paths_begin_with_names() {
        let file = |call: &Call<'_>, path: &str| {
            let (at, path) = call.file(path).unwrap();
            (at, path.into_owned())
        };
        let (cancel, pool) = (Cancel::default(), Arc::default());
        let several = served(["/w/app", "/w/lib", "/w/lib/lib-x"].map(PathBuf::from));
        let call = Call { pool: Arc::clone(&pool), served: &several, cancel: &cancel, tell: &|_| {} };
        assert_eq!(file(&call, "lib/src/a.rs"), (1, "src/a.rs".to_owned()));
        assert_eq!(file(&call, "./lib-x/a.rs"), (2, "a.rs".to_owned()));
        assert_eq!(file(&call, "/w/lib/b.rs"), (1, "b.rs".to_owned()));
        assert_eq!(file(&call, "/w/lib/lib-x/b.rs"), (2, "b.rs".to_owned()));
        assert_eq!(file(&call, "lib"), (1, "".to_owned()));
        let trouble = call.file("src/a.rs").unwrap_err().to_string();
        assert!(trouble.contains("'app/src/a.rs' or 'lib/src/a.rs' or 'lib-x/src/a.rs'"), "{trouble}");
        let symbol = |name: &str| {
            let (at, name) = call.symbol(name);
            (at, name.into_owned())
        };
        assert_eq!(symbol("/w/lib/lib-x/b.rs:5"), (Some(2), "b.rs:5".to_owned()));
        assert_eq!(symbol("lib/src/b.rs:Type::name"), (Some(1), "src/b.rs:Type::name".to_owned()));
        for plain in ["name", "lib::name", "lib:name", "src/b.rs:5", "/elsewhere/b.rs:5"] {
            assert_eq!(symbol(plain), (None, plain.to_owned()));
        }
        let chosen = |specs: &[&str]| {
            call.chosen(&specs.iter().map(|spec| (*spec).to_owned()).collect::<Vec<_>>())
                .into_iter()
                .map(|(at, specs)| format!("{at} {}", specs.join(" ")))
                .collect::<Vec<_>>()
                .join(", ")
        };
        assert_eq!(chosen(&[]), "0 , 1 , 2 ");
        assert_eq!(chosen(&["*.rs", ":!test"]), "0 *.rs :!test, 1 *.rs :!test, 2 *.rs :!test");
        assert_eq!(chosen(&["lib/src", ":!lib/src/x"]), "1 src :!src/x");
        assert_eq!(chosen(&["lib", "app/", ":!docs"]), "0 :!docs, 1 :!docs");
        assert_eq!(chosen(&[":!lib"]), "0 , 2 ");
        assert_eq!(chosen(&["lib", "lib/src", "*.md", ":!lib/x"]), "1 :!x");
        assert_eq!(chosen(&[":(icase)LIB", ":(icase)lib-x/A", "b"]), "1 , 2 :(icase)A b");
        assert_eq!(chosen(&[":(exclude,icase)LIB/x"]), "0 , 1 :(exclude,icase)x, 2 ");
        assert_eq!(chosen(&["^lib", "/lib"]), "0 ^lib /lib, 1 ^lib /lib, 2 ^lib /lib");
        assert_eq!(chosen(&["/w/lib/lib-x/src", "app/a"]), "0 a, 2 src");
        let only = served([PathBuf::from("/w/app")]);
        let call = Call { pool, served: &only, cancel: &cancel, tell: &|_| {} };
        assert_eq!(file(&call, "app/a.rs"), (0, "app/a.rs".to_owned()));
        assert_eq!(call.chosen(&["app/x".to_owned()]), [(0, vec!["app/x".to_owned()])]);
        assert_eq!(call.name(0), "");
    }
}

//! The repositories that are served, and what the paths mean that agents write where there are several: each begins with
//! its repository's name.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use git_cora::session::{follow, merge};
use git_cora::view::{Results, visible};

use super::reply::{self, State, Trouble};
use super::{Call, PATIENCE};
use crate::host::Kept;

/// A repository that is served.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Served {
    /// What it is called in paths, if it is not the only one: unlike all others.
    pub(crate) name: String,
    /// A directory in it.
    pub(crate) dir: PathBuf,
}

/// Names repositories after their directories, each once; what is called alike gets a number.
pub(crate) fn served(dirs: impl IntoIterator<Item = PathBuf>) -> Vec<Served> {
    let mut all: Vec<Served> = Vec::new();
    for dir in dirs {
        if all.iter().any(|one| one.dir == dir) {
            continue;
        }
        let last = dir.file_name().map(|name| name.to_string_lossy().into_owned());
        let last = last.filter(|name| !name.is_empty()).unwrap_or_else(|| "repository".to_owned());
        let is_free = |name: &String| !all.iter().any(|one| one.name == *name);
        let numbered = (2..).map(|n| format!("{last}-{n}"));
        let name = std::iter::once(last.clone()).chain(numbered).find(is_free).unwrap_or(last);
        all.push(Served { name, dir });
    }
    all
}

/// What the agent is told about several repositories at the beginning; nothing about one.
pub(super) fn instructions(served: &[Served]) -> String {
    let [_, _, ..] = served else { return String::new() };
    let names: Vec<String> = served
        .iter()
        .map(|one| format!("{} ({})", visible(&one.name), visible(&one.dir.to_string_lossy())))
        .collect();
    format!(
        " Several repositories are open: {}. Each path begins with the name of its repository, and then the path from its \
         root; a 'path' that is only the name stands for the whole repository. Without one, all are searched, and what one \
         uses of another is followed.",
        names.join(", ")
    )
}

/// A repository that a call is about.
pub(super) struct Open {
    /// Which of those that are served.
    pub(super) at: usize,
    pub(super) kept: Arc<Kept>,
    pub(super) state: State,
    /// Pathspecs, from its root.
    pub(super) specs: Vec<String>,
}

impl Call<'_> {
    /// Whether paths begin with the names of repositories.
    pub(super) fn is_several(&self) -> bool {
        self.served.len() > 1
    }

    /// A repository's name, and what paths in it begin with; empty for the only one.
    pub(super) fn name(&self, at: usize) -> &str {
        let name = self.served.get(at).map(|one| one.name.as_str()).unwrap_or_default();
        if self.is_several() { name } else { "" }
    }

    /// A repository, opened if need be.
    pub(super) fn kept(&self, at: usize) -> Result<Arc<Kept>, Trouble> {
        let Some(one) = self.served.get(at) else { return Err(Trouble::new("there is no repository")) };
        Ok(self.host.open(&one.dir)?)
    }

    /// The repository that a path begins with, and the path from its root.
    fn split<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        let path = path.strip_prefix("./").unwrap_or(path);
        self.served.iter().enumerate().filter(|_| self.is_several()).find_map(|(at, one)| {
            let rest = path.strip_prefix(one.name.as_str())?;
            if rest.is_empty() { Some((at, rest)) } else { Some((at, rest.strip_prefix('/')?)) }
        })
    }

    /// The repository of a file, and its path from the root of that. An absolute path below a repository will do, too.
    pub(super) fn file<'p>(&self, path: &'p str) -> Result<(usize, &'p str), Trouble> {
        let absolute = |one: &super::Served| {
            let rest = Path::new(path).strip_prefix(&one.dir).ok()?;
            rest.to_str().filter(|_| Path::new(path).is_absolute())
        };
        if !self.is_several() {
            return Ok((0, path));
        }
        let named = self.split(path);
        let below = || {
            let mut all = self.served.iter().enumerate();
            all.find_map(|(at, one)| Some((at, absolute(one)?)))
        };
        named.or_else(below).ok_or_else(|| {
            Trouble::with_hint(
                format!("'{path}' does not begin with the name of a repository"),
                format!("write {}", self.beginnings(path)),
            )
        })
    }

    /// What a path could have begun with.
    fn beginnings(&self, path: &str) -> String {
        let all: Vec<String> = self.served.iter().map(|one| format!("'{}/{path}'", one.name)).collect();
        all.join(" or ")
    }

    /// The repositories that pathspecs are about, each with its own: those that one begins with, or all; what begins with
    /// none goes for each.
    pub(super) fn chosen(&self, specs: &[String]) -> Vec<(usize, Vec<String>)> {
        if !self.is_several() {
            return vec![(0, specs.to_vec())];
        }
        // Magic such as `:!` stands before the path.
        let magic = |spec: &str| match spec.strip_prefix(":(") {
            Some(long) => long.find(')').map_or(spec.len(), |end| end + 3),
            None => spec.len() - spec.trim_start_matches([':', '!', '^', '/']).len(),
        };
        let parted: Vec<(&str, Option<usize>, &str)> = specs
            .iter()
            .map(|spec| {
                let (magic, path) = spec.split_at(magic(spec));
                match self.split(path) {
                    Some((at, rest)) => (magic, Some(at), rest),
                    None => (magic, None, path),
                }
            })
            .collect();
        let excludes = |magic: &str| magic.contains(['!', '^']) || magic.contains("exclude");
        let is_named = |at: usize| parted.iter().any(|one| one.1 == Some(at) && !excludes(one.0));
        let all = || 0..self.served.len();
        let is_any_named = all().any(is_named);
        all()
            .filter(|&at| is_named(at) || !is_any_named)
            .filter_map(|at| {
                let own = parted.iter().filter(|one| one.1.is_none_or(|of| of == at));
                // A repository's name alone is all of it.
                let is_out = own.clone().any(|one| excludes(one.0) && one.1.is_some() && one.2.is_empty());
                let specs = own.filter(|one| !one.2.is_empty());
                (!is_out).then(|| (at, specs.map(|one| format!("{}{}", one.0, one.2)).collect()))
            })
            .collect()
    }

    /// Opens the repositories that pathspecs are about: `Err` with a reply where there is nothing yet in any.
    pub(super) fn open(
        &self,
        specs: &[String],
        rev: Option<&str>,
    ) -> Result<Result<Vec<Open>, String>, Trouble> {
        let end = Instant::now() + PATIENCE;
        let (mut open, mut not_yet): (Vec<Open>, Vec<String>) = (Vec::new(), Vec::new());
        for (at, specs) in self.chosen(specs) {
            let name = self.name(at);
            let reached = self.kept(at).and_then(|kept| {
                let patience = end.saturating_duration_since(Instant::now());
                Ok((reply::state(self, &kept, rev, patience)?, kept))
            });
            match reached.map_err(|trouble| trouble.of(name))? {
                (Ok(mut state), kept) => {
                    if !name.is_empty() && !state.notes.is_empty() {
                        state.notes = format!("{}: {}", visible(name), state.notes);
                    }
                    open.push(Open { at, kept, state, specs });
                }
                (Err(text), _) if name.is_empty() => not_yet.push(text),
                (Err(text), _) => not_yet.push(format!("{}: {text}", visible(name))),
            }
        }
        if open.is_empty() {
            return Ok(Err(match not_yet.is_empty() {
                true => return Err(Trouble::new("the pathspecs leave no repository")),
                false => not_yet.join("\n"),
            }));
        }
        if let Some(first) = open.first_mut() {
            not_yet.iter().for_each(|text| first.state.notes.push_str(&format!("note: {text}\n")));
        }
        Ok(Ok(open))
    }

    /// One answer of those of several repositories, best first, `limit` results at most. Paths begin with the names.
    pub(super) fn merged(
        &self,
        open: &[Open],
        answers: Vec<Results>,
        limit: usize,
    ) -> Result<Results, Trouble> {
        let mut results = merge(answers, limit);
        if !self.is_several() {
            return Ok(results);
        }
        let all: Vec<_> = open.iter().map(|one| (&one.kept.session, &*one.state.searchable)).collect();
        follow(&all, &mut results)?;
        let name = |repository: usize| open.get(repository).map(|one| self.name(one.at)).unwrap_or_default();
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

/// What has to be said above an answer from several repositories.
pub(super) fn notes(open: &[Open]) -> String {
    open.iter().map(|one| one.state.notes.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use git_cora::progress::Cancel;

    #[test]
    fn names_are_unlike() {
        let all = served(["/a/lib", "/b/lib", "/a/lib", "/", "/c/lib-2", "/d/lib"].map(PathBuf::from));
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["lib", "lib-2", "repository", "lib-2-2", "lib-3"]);
        assert_eq!(instructions(&all[..1]), "");
        assert!(instructions(&all).contains("lib (/a/lib), lib-2 (/b/lib)"));
    }

    #[test]
    fn paths_begin_with_names() {
        let (cancel, host) = (Cancel::default(), Arc::default());
        let several = served(["/w/app", "/w/lib", "/w/lib-x"].map(PathBuf::from));
        let call = Call { host: Arc::clone(&host), served: &several, cancel: &cancel, tell: &|_| {} };
        assert_eq!(call.file("lib/src/a.rs").unwrap(), (1, "src/a.rs"));
        assert_eq!(call.file("./lib-x/a.rs").unwrap(), (2, "a.rs"));
        assert_eq!(call.file("/w/lib/b.rs").unwrap(), (1, "b.rs"));
        let trouble = call.file("src/a.rs").unwrap_err().to_string();
        assert!(trouble.contains("'app/src/a.rs' or 'lib/src/a.rs' or 'lib-x/src/a.rs'"), "{trouble}");
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
        assert_eq!(chosen(&[":(icase)LIB", ":(icase)lib-x/A", "b"]), "2 :(icase)LIB :(icase)A b");
        let only = served([PathBuf::from("/w/app")]);
        let call = Call { host, served: &only, cancel: &cancel, tell: &|_| {} };
        assert_eq!(call.file("app/a.rs").unwrap(), (0, "app/a.rs"));
        assert_eq!(call.chosen(&["app/x".to_owned()]), [(0, vec!["app/x".to_owned()])]);
        assert_eq!(call.name(0), "");
    }
}

//! `cargo xtask lab compare`: asks two builds of the program the same questions and compares what
//! they do.
//!
//! Each build indexes a clone of its own, from scratch and then incrementally. Equal are the ids of
//! all index refs, and the exit status and standard output of every question. Wording on standard
//! error may differ. The clones are temporary, and the user's Git configuration and caches are not
//! read.

mod difference;
pub(crate) mod place;
mod questions;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};

use place::{Answer, Place};
use questions::Material;

/// Number of differences of a repository that are shown.
const MOST_SHOWN: usize = 10;

/// Number of commits between the two that are indexed, where the history has them: the second index
/// is incremental.
const COMMITS_BETWEEN: usize = 5;

/// Options of `compare`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Repository to compare on, a work tree or a bare one; may be repeated. It is cloned and not
    /// changed.
    #[arg(long, required = true, value_name = "DIR")]
    repository: Vec<PathBuf>,
    /// Build of the program; give it twice, first the old one.
    #[arg(long, required = true, value_name = "PATH")]
    binary: Vec<PathBuf>,
    /// Questions to ask instead of the built-in list. The head of that list describes the form:
    /// xtask/lab/src/compare/questions.txt.
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,
}

/// Compares two builds on each repository.
///
/// # Errors
/// If anything differs, and if a repository can't be cloned or indexed.
pub(crate) fn run(options: &Options) -> Result<()> {
    let [old, new] = options.binary.as_slice() else {
        bail!("expected two binaries, found {}", options.binary.len());
    };
    let text = match &options.questions {
        Some(path) => {
            std::fs::read_to_string(path).with_context(|| format!("can't read '{}'", path.display()))?
        }
        None => questions::BUILT_IN.to_owned(),
    };
    let templates = questions::parse(&text)?;
    let mut n_different = 0;
    for repository in &options.repository {
        let places = [Place::new(repository, old)?, Place::new(repository, new)?];
        n_different += compare(&places, &templates)
            .with_context(|| format!("can't compare on '{}'", repository.display()))?;
    }
    ensure!(n_different == 0, "{n_different} {} differ", if n_different == 1 { "thing" } else { "things" });
    Ok(())
}

/// Compares on one repository, prints what differs and returns the number of differences.
fn compare(places: &[Place; 2], templates: &[questions::Template]) -> Result<usize> {
    let [old, new] = places;
    for place in places {
        place.index(COMMITS_BETWEEN)?;
    }
    let refs = [old.index_refs()?, new.index_refs()?];
    ensure!(!refs[0].is_empty(), "'{}' made no index", old.binary.display());
    let different_refs = different(&refs[0], &refs[1]);
    let n_refs = refs[0].keys().chain(refs[1].keys()).collect::<std::collections::BTreeSet<_>>().len();
    println!("{}: {} of {n_refs} index refs are equal", old.name, n_refs - different_refs.len());
    for name in different_refs.iter().take(MOST_SHOWN) {
        let id = |refs: &BTreeMap<String, String>| {
            refs.get(name.as_str()).map_or("no ref", String::as_str).to_owned()
        };
        println!("  {name}: {} and {}", id(&refs[0]), id(&refs[1]));
    }
    let material = Material::read(old)?;
    // The files change after the questions are made, so that these fit both clones.
    let asked: Vec<Vec<String>> = templates.iter().filter_map(|template| template.fill(&material)).collect();
    for place in places {
        place.change_work_tree(&material)?;
    }
    let (mut n_equal, mut n_failed, mut differences) = (0, 0, Vec::new());
    for question in &asked {
        let answers = [old.ask(question)?, new.ask(question)?];
        match differ(&answers[0], &answers[1]) {
            None => n_equal += 1,
            Some(difference) => differences.push((question.join(" "), difference)),
        }
        n_failed += usize::from(answers[0].status > 1 && answers[1].status > 1);
    }
    println!("{}: {n_equal} of {} answers are equal", old.name, asked.len());
    if n_failed > 0 {
        println!("{}: {n_failed} questions fail in both builds", old.name);
    }
    if asked.len() < templates.len() {
        println!("{}: {} questions don't fit the repository", old.name, templates.len() - asked.len());
    }
    for (question, difference) in differences.iter().take(MOST_SHOWN) {
        println!("  git cora {question}\n    {difference}");
    }
    if differences.len() > MOST_SHOWN {
        println!("  … and {} more", differences.len() - MOST_SHOWN);
    }
    Ok(different_refs.len() + differences.len())
}

/// Returns the names whose ids are not the same, sorted.
fn different<'a>(old: &'a BTreeMap<String, String>, new: &'a BTreeMap<String, String>) -> Vec<&'a String> {
    let changed = old.iter().filter(|(name, id)| new.get(*name) != Some(*id)).map(|(name, _)| name);
    let mut names: Vec<_> = changed.chain(new.keys().filter(|name| !old.contains_key(*name))).collect();
    names.sort_unstable();
    names
}

/// Returns the first difference between two answers.
fn differ(old: &Answer, new: &Answer) -> Option<String> {
    if old.status != new.status {
        let said = [old, new].map(|answer| answer.error.lines().next().unwrap_or_default().to_owned());
        let said: Vec<_> = said.into_iter().filter(|line| !line.is_empty()).collect();
        let why = if said.is_empty() { String::new() } else { format!(" ({})", said.join("; ")) };
        return Some(format!("exit status {} and {}{why}", old.status, new.status));
    }
    difference::first(&old.output, &new.output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_differ_by_id_and_by_presence() {
        let refs = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs.iter().map(|(name, id)| ((*name).to_owned(), (*id).to_owned())).collect()
        };
        let old = refs(&[("a", "1"), ("b", "2"), ("c", "3")]);
        assert!(different(&old, &old).is_empty());
        assert_eq!(different(&old, &refs(&[("b", "9"), ("c", "3"), ("d", "4")])), ["a", "b", "d"]);
    }

    #[test]
    fn status_counts_and_wording_does_not() {
        let answer = |status, output: &str, error: &str| Answer {
            status,
            output: output.to_owned(),
            error: error.to_owned(),
        };
        assert_eq!(differ(&answer(2, "", "error: a"), &answer(2, "", "error: b")), None);
        let difference = differ(&answer(0, "x", ""), &answer(2, "", "error: b"));
        assert_eq!(difference.as_deref(), Some("exit status 0 and 2 (error: b)"));
        assert!(differ(&answer(0, "x", ""), &answer(0, "y", "")).is_some());
    }
}

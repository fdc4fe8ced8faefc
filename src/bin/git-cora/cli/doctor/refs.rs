//! What `git cora doctor` says about our refs: those that nobody can use, those that are not ours,
//! and indexes of commits that nothing reaches.

use git_cora::answer::view::{counted, example};
use git_cora::base::text::shell_word;
use git_cora::git::{FaultKind, RefFault, Repository};
use git_cora::index;
use git_cora::provider::sidecar::refs::SidecarKind;

use super::{Check, Level};

/// Age in seconds from which a lock is worth a word: Git holds it for well under a second.
const OLD_LOCK_S: u64 = 600;

pub(super) fn checks(repo: &Repository) -> anyhow::Result<Vec<Check>> {
    repo.recover_locks();
    let mut found = repo.ref_faults()?;
    found.extend(repo.incomplete_refs()?);
    let mut checks = vec![faults(&found)];
    checks.extend(foreign(repo, &found)?);
    checks.extend(packed_refs_lock(repo));
    checks.push(unreachable(repo));
    Ok(checks)
}

/// Refs that nobody can use, which stop `git gc` and `git fetch`, and refs in the way of ours.
fn faults(faults: &[RefFault]) -> Check {
    const WHAT: &str = "refs";
    let Some(first) = faults.first() else { return Check::good(WHAT, "fine") };
    let advice = match first.kind {
        FaultKind::InTheWay => {
            format!("if it is not needed, run 'git update-ref -d {}'", shell_word(&first.name.to_string()))
        }
        _ => "run 'git cora prune' to remove them".to_owned(),
    };
    let found = format!(
        "{} {}: {}",
        counted(faults.len(), "unusable ref", "unusable refs"),
        example(faults.len(), &first.name),
        first.kind.describe()
    );
    Check::new(WHAT, Level::Problem, found, advice)
}

/// Refs in our namespace that have no name of ours. Nothing of ours reads or deletes them.
fn foreign(repo: &Repository, faults: &[RefFault]) -> anyhow::Result<Option<Check>> {
    let mut names = Vec::new();
    for prefix in [index::REF_PREFIX, index::LOCAL_PREFIX] {
        names.extend(repo.list_refs(prefix)?.into_iter().map(|(name, _)| name));
    }
    names.retain(|name| faults.iter().all(|fault| fault.name != *name));
    let is_foreign = |name: &String| {
        index::commit_of_ref(name.as_bytes()).is_none()
            && SidecarKind::ALL.iter().all(|what| what.commit_of(name).is_none())
    };
    let foreign: Vec<String> = names.iter().map(ToString::to_string).filter(is_foreign).collect();
    Ok(foreign.first().map(|first| {
        let found = format!(
            "{} not created by git-cora {}",
            counted(foreign.len(), "ref was", "refs were"),
            example(foreign.len(), first)
        );
        let advice = format!("if it is not needed, run 'git update-ref -d {}'", shell_word(first));
        Check::new("names of refs", Level::Note, found, advice)
    }))
}

/// An old lock of the packed refs. It is not one of ours, because those are recovered.
fn packed_refs_lock(repo: &Repository) -> Option<Check> {
    let path = repo.common_dir().join("packed-refs.lock");
    let age = std::fs::metadata(&path).ok()?.modified().ok()?.elapsed().ok()?.as_secs();
    (age > OLD_LOCK_S).then(|| {
        let found = format!("'{}' is {} old", path.display(), counted(age / 60, "minute", "minutes"));
        let advice = format!(
            "if no Git process is running here, run 'rm {}': the lock blocks 'git gc' and the deletion of branches",
            shell_word(&path.to_string_lossy())
        );
        Check::new("lock of packed refs", Level::Problem, found, advice)
    })
}

/// Indexes of commits that nothing reaches, because they were amended or rewritten.
fn unreachable(repo: &Repository) -> Check {
    const WHAT: &str = "indexes of unreachable commits";
    let (lost, n_in_reflog) = match index::unreachable(repo) {
        Ok(found) => found,
        Err(error) => {
            let advice = "run 'git fsck' to see what is missing or damaged";
            return Check::new(WHAT, Level::Problem, format!("can't read history: {error}"), advice);
        }
    };
    let Some(first) = lost.first() else { return Check::good(WHAT, "none") };
    let in_reflog = match n_in_reflog {
        0 => String::new(),
        n => format!("; {} still in a reflog", counted(n, "is", "are")),
    };
    let found = format!(
        "{} that no branch or tag reaches {}{in_reflog}",
        counted(lost.len(), "index of a commit", "indexes of commits"),
        example(lost.len(), first.abbreviated(12))
    );
    let advice = "run 'git cora prune' to drop them, and 'git cora prune --remote' if they were pushed";
    Check::new(WHAT, Level::Note, found, advice)
}

//! Interruption and races.
//!
//! A killed build leaves no ref. Two builders end with the same result. A store that can't be
//! written causes a clean error.

use std::time::Duration;

use crate::harness::{Dice, Repo};

/// Creates enough files that indexing takes a while.
fn large() -> Repo {
    let repo = Repo::new();
    for n in 0..250 {
        let body: String = (0..40)
            .map(|m| format!("def ledger_{n}_{m}(total):\n    return total * {m} + settle({n})\n\n"))
            .collect();
        repo.write(&format!("pkg{}/mod{n}.py", n % 10), body);
    }
    repo.commit("large");
    repo
}

#[test]
fn a_killed_build_leaves_nothing_half_done() {
    let repo = large();
    let whole = repo.clone_to("whole", &[]);
    whole.cora(&["index"]);
    let expected = whole.index_refs();
    let dice = &mut Dice(3);
    let mut n_killed = 0;
    for round in 0..8u64 {
        let mut child = repo.spawn_cora(&["index"]);
        let at = round * 40 + u64::try_from(dice.below(40)).unwrap();
        std::thread::sleep(Duration::from_millis(at));
        child.kill().unwrap();
        child.wait().unwrap();
        let refs = repo.index_refs();
        if refs.is_empty() {
            n_killed += 1;
        } else {
            assert_eq!(refs, expected, "killed after {at} ms: all or nothing");
            repo.cora(&["verify"]);
            break;
        }
    }
    assert!(n_killed > 0, "none was killed in time");
    // If a process was killed while it wrote the ref, its lock counts as another process's until it
    // is old.
    let lock = repo.path().join(format!(".git/refs/cora/{}.lock", repo.rev("HEAD")));
    if let Ok(lock) = std::fs::File::options().write(true).open(lock) {
        lock.set_modified(std::time::SystemTime::now() - Duration::from_secs(120)).unwrap();
    }
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    repo.cora(&["index"]);
    assert_eq!(repo.index_refs(), expected);
    assert_eq!(repo.found(&["ledger_7_3"])[0], "pkg7/mod7.py");
    repo.cora(&["verify"]);
}

/// Creates refs of commits that are not here, packed, loose or both, which prune drops.
fn with_many_refs(options: &[&str], is_packed: bool, is_loose: bool) -> Repo {
    let repo = Repo::sample_in(options);
    let refs = |from: usize| -> String {
        (from..from + 150).map(|n| format!("create refs/cora/{n:040x} {}\n", repo.rev("HEAD"))).collect()
    };
    if is_packed {
        repo.git_input(&["update-ref", "--stdin"], refs(1));
        repo.git(&["pack-refs", "--all"]);
    }
    if is_loose {
        repo.git_input(&["update-ref", "--stdin"], refs(1000));
    }
    repo
}

#[test]
fn a_killed_prune_leaves_no_lock_of_git() {
    let dice = &mut Dice(5);
    let mut n_left = 0;
    let knows_reftables = Repo::knows_reftables();
    for round in 0..20u64 {
        let reftable = knows_reftables && round % 5 == 4;
        let options: &[&str] = if reftable { &["--ref-format=reftable"] } else { &[] };
        let repo = with_many_refs(options, round % 4 != 1, round % 4 != 2);
        let mut child = repo.spawn_cora(&["prune"]);
        std::thread::sleep(Duration::from_micros(u64::try_from(dice.below(40_000)).unwrap()));
        child.kill().unwrap();
        child.wait().unwrap();
        if reftable {
            // The git program goes on to its end by itself.
            std::thread::sleep(Duration::from_millis(300));
        }
        // Before any command of ours can have recovered it.
        n_left += usize::from(repo.path().join(".git/packed-refs.lock").exists());
        repo.cora(&["prune"]);
        assert!(!repo.path().join(".git/packed-refs.lock").exists());
        repo.git(&["branch", "other"]);
        repo.git(&["pack-refs", "--all"]);
        repo.git(&["branch", "-d", "other"]);
        repo.git(&["gc", "-q"]);
        assert_eq!(repo.index_refs(), Vec::<String>::new());
        repo.git(&["fsck", "--strict", "--no-dangling"]);
    }
    assert_eq!(n_left, 0);
}

#[cfg(unix)]
#[test]
fn control_c_says_so_and_changes_nothing() {
    let repo = large();
    for wait in [60, 30, 10] {
        let child = repo.spawn_cora(&["index"]);
        std::thread::sleep(Duration::from_millis(wait));
        repo.command("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let Some(code) = output.status.code() else { continue }; // killed before it had a handler
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        match code {
            130 => {
                assert!(err.contains("interrupted"), "{err}");
                assert_eq!(repo.index_refs(), Vec::<String>::new());
            }
            0 => return, // it finished before the signal
            other => panic!("{other}: {err}"),
        }
    }
}

#[test]
fn two_builders_end_with_one_result() {
    let repo = large();
    let whole = repo.clone_to("whole", &[]);
    whole.cora(&["index"]);
    let rivals: Vec<_> = (0..4).map(|_| repo.spawn_cora(&["index"])).collect();
    let mut n_built = 0;
    for rival in rivals {
        let output = rival.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{err}");
        // On a slow machine, one that waits says so first.
        let last = err.lines().last().unwrap_or_default();
        assert!(last.starts_with("indexed") || last.starts_with("already indexed"), "{err}");
        n_built += usize::from(last.starts_with("indexed"));
    }
    assert_eq!(n_built, 1, "who comes later waits");
    assert_eq!(repo.index_refs(), whole.index_refs());
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    let rivals: Vec<_> = (0..4).map(|_| repo.spawn_cora(&["index", "--force"])).collect();
    for rival in rivals {
        assert!(rival.wait_with_output().unwrap().status.success());
    }
    assert_eq!(repo.index_refs(), whole.index_refs());
    assert_eq!(repo.segments().len(), 1);
}

#[test]
fn askers_at_once_on_a_cold_cache_all_get_the_answer() {
    let repo = Repo::sample();
    let args = ["query", "--json", "refresh_token"];
    let askers: Vec<_> = (0..5).map(|_| repo.spawn_cora(&args)).collect();
    let outputs: Vec<String> = askers
        .into_iter()
        .map(|asker| {
            let output = asker.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        })
        .collect();
    assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(outputs[0], repo.cora(&args).out);
}

/// Makes a directory read-only and restores it on drop; `None` if that has no effect, as for the
/// superuser.
#[cfg(unix)]
fn read_only(path: &std::path::Path) -> Option<impl Drop + use<>> {
    use std::os::unix::fs::PermissionsExt as _;
    struct Restore(std::path::PathBuf);
    impl Drop for Restore {
        fn drop(&mut self) {
            drop(std::fs::set_permissions(&self.0, std::fs::Permissions::from_mode(0o755)));
        }
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o555)).unwrap();
    let restore = Restore(path.to_owned());
    std::fs::write(path.join("probe"), "").is_err().then_some(restore)
}

#[cfg(unix)]
#[test]
fn a_store_that_cant_be_written_is_an_error() {
    let repo = Repo::sample();
    let Some(restore) = read_only(&repo.path().join(".git/objects")) else { return };
    let run = repo.try_cora(&["index"]).exits(2);
    assert!(run.err.starts_with("error: "), "{}", run.err);
    assert_eq!(repo.index_refs(), Vec::<String>::new());
    drop(restore);
    repo.cora(&["index"]);
}

#[test]
fn a_cache_that_cant_be_written_is_not_needed() {
    let repo = Repo::sample();
    repo.cora(&["index", "-q"]);
    let answer = repo.cora(&["query", "--json", "refresh_token"]).out;
    std::fs::remove_dir_all(repo.path().join(".git/cora")).unwrap();
    // A file in place of the directory: not writable, not even for the superuser.
    repo.write(".git/cora", "in the way");
    assert_eq!(repo.cora(&["query", "--json", "refresh_token"]).out, answer);
    // Neither does a new commit need it.
    repo.write("other.rs", "fn other() {}\n");
    repo.commit("other");
    let run = repo.cora(&["query", "other"]);
    assert!(run.out.contains("other.rs:1") && run.err.contains("git cora doctor"), "{run:?}");
    repo.try_cora(&["index"]).exits(2).says("hint: move ");
    let run = repo.try_cora(&["doctor"]);
    assert!(run.code == 1 && run.out.contains("not writable: "), "{run:?}");
    std::fs::remove_file(repo.path().join(".git/cora")).unwrap();
    let run = repo.cora(&["query", "other"]);
    assert!(run.out.contains("other.rs:1") && run.err.is_empty(), "{run:?}");
}

#[test]
fn a_stale_lock_of_a_ref_is_an_error_that_names_it() {
    let repo = Repo::sample();
    repo.write(&format!(".git/refs/cora/{}.lock", repo.rev("HEAD")), "");
    let run = repo.try_cora(&["index"]).exits(2);
    assert!(run.err.contains("lock"), "{}", run.err);
    repo.remove(&format!(".git/refs/cora/{}.lock", repo.rev("HEAD")));
    repo.cora(&["index"]);
}

/// Returns the files below a directory that nobody needs after a command: locks that Git would trip
/// over, and temporary ones.
#[cfg(unix)]
fn debris(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if entry.file_type().unwrap().is_dir() {
            found.extend(debris(&path));
        } else if name.contains("tmp")
            || name.starts_with(".cora-")
            || name.ends_with(".lock") && path.parent().is_none_or(|dir| !dir.ends_with("cora"))
        {
            found.push(path);
        }
    }
    found
}

#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_that_leaves_nothing() {
    let repo = large();
    let git = repo.path().join(".git");
    let limited = |blocks: usize, args: &[&str]| {
        // Blocks have 512 bytes. The signal has its default action, which ends a process.
        let script = format!("ulimit -c 0; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output =
            repo.command("sh").args(["-c", &script, crate::harness::CORA]).args(args).output().unwrap();
        crate::harness::Run::new(format!("{args:?} with {blocks} blocks"), output)
    };
    // The pack, and loose objects and refs.
    for blocks in [0, 1, 20, 100] {
        let run = limited(blocks, &["index"]).exits(2).says("error: can't").says("hint: run 'ulimit -f'");
        assert!(run.err.contains("too large"), "{}", run.err);
        assert_eq!(repo.index_refs(), Vec::<String>::new());
        assert_eq!(debris(&git), Vec::<std::path::PathBuf>::new(), "with {blocks} blocks");
    }
    repo.cora(&["index", "--force"]);
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    let answer = repo.cora(&["query", "--json", "ledger_7_3"]).out;
    // The segment and what else is cached.
    for blocks in [0, 1, 20, 100, 1000] {
        repo.drop_cached();
        let run = limited(blocks, &["query", "--json", "ledger_7_3"]).exits(0);
        assert_eq!(run.out, answer, "with {blocks} blocks");
        assert_eq!(debris(&git), Vec::<std::path::PathBuf>::new(), "with {blocks} blocks");
    }
    // A hook says nothing and hurts nobody.
    repo.write("pkg0/more.py", "def more():\n    pass\n");
    repo.commit("more");
    limited(0, &["hook", "post-commit"]).exits(0);
    assert_eq!(debris(&git), Vec::<std::path::PathBuf>::new());
    repo.cora(&["index"]);
    assert_eq!(repo.found(&["more"])[0], "pkg0/more.py");
}

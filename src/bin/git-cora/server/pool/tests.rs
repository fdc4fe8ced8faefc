//! Tests of the pool: its limits, its end, and the repair of a damaged cache for all later
//! requests.

use std::process::Command;

use super::*;

/// Creates a repository in `dir` with more chunks than a graph of neighbours needs.
fn repository(dir: &Path) {
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false"]);
        let output = command.args(args).current_dir(dir).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q"]);
    git(&["config", "cora.ann", "hnsw"]);
    for file in 0..22 {
        let functions = (0..100).map(|n| {
            let long = "    total += step * 3;\n".repeat(30);
            format!("/// Adds {n}.\npub fn add_{file}_{n}(step: u32) -> u32 {{\n    let mut total = {n};\n{long}    total\n}}\n\n")
        });
        std::fs::write(dir.join(format!("f{file}.rs")), functions.collect::<String>()).unwrap();
    }
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "first"]);
}

/// Damages the only cached segment so that it opens, but a query finds the damage.
fn damage(session: &Session, target: &Target, query: &Query) {
    let cancel = Cancel::default();
    let task = Task::new(&NoProgress, &cancel);
    let dir = session.repo().common_dir().join("cora/segments");
    let files: Vec<_> = std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [path] = files.as_slice() else { panic!("more or less than one segment: {files:?}") };
    let whole = std::fs::read(path).unwrap();
    for share in 0..40 {
        let from = whole.len() / 40 * share;
        let mut damaged = whole.clone();
        damaged[from..from + whole.len() / 40].fill(0xa5);
        std::fs::remove_file(path).ok();
        std::fs::write(path, damaged).unwrap();
        let searcher = session.searcher(target, task).unwrap();
        let answered = session.answer(&searcher, query, "HEAD");
        if matches!(answered, Err(SessionError::Search(error)) if error.is_damaged_cache()) {
            return;
        }
    }
    panic!("no damage is found by the query only");
}

#[test]
fn later_requests_use_the_repaired_searcher() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let pool = Arc::new(RepositoryPool::default());
    let cancel = Cancel::default();
    let query = Query::new("adds 17 to the step");
    let expected = {
        let session = Session::open(dir.path()).unwrap();
        let (target, _) = Target::resolve(session.repo(), Some("HEAD"), false).unwrap();
        let task = Task::new(&NoProgress, &cancel);
        let Target::Commit(commit) = target else { panic!("not a commit") };
        session.index(commit, false, task).unwrap();
        let searcher = session.searcher(&target, task).unwrap();
        let results = session.answer(&searcher, &query, "HEAD").unwrap().results;
        damage(&session, &target, &query);
        results.iter().map(|item| item.symbol.clone()).collect::<Vec<_>>()
    };
    assert!(!expected.is_empty());

    let kept = pool.open(dir.path()).unwrap();
    let (target, _) = kept.target(Some("HEAD")).unwrap();
    let wait = WaitLimits { patience: Duration::from_secs(600), cancel: &cancel, tell: &|_| {} };
    let SearcherState::Exact(damaged) = kept.reach(&pool, &target, &wait).unwrap() else {
        panic!("not ready")
    };
    let mut found = Arc::clone(&damaged);
    let results = kept.answer(&pool, &mut found, &query, "HEAD", &cancel).unwrap().results;
    assert_eq!(results.iter().map(|item| item.symbol.clone()).collect::<Vec<_>>(), expected);
    assert!(!Arc::ptr_eq(&found, &damaged), "the request goes on with the repaired searcher");

    let SearcherState::Exact(later) = kept.reach(&pool, &target, &wait).unwrap() else { panic!("not ready") };
    assert!(Arc::ptr_eq(&later, &found), "a later request opens nothing again");
    // The graph is built for the searcher that later requests use, not for the damaged one.
    // However long that takes: the job is over only when the graph is there.
    while search::cache::wants_neighbours(&later) {
        let is_running = kept.is_linking.load(Ordering::Acquire);
        assert!(
            is_running || !search::cache::wants_neighbours(&later),
            "the repaired searcher gets no graph"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(search::cache::wants_neighbours(&damaged));
}

#[test]
fn places_for_background_jobs_are_few() {
    let pool = RepositoryPool::default();
    assert_eq!([(); 3].map(|()| pool.enter_background()), [true, true, false]);
    pool.leave_background();
    assert_eq!([(); 2].map(|()| pool.enter_background()), [true, false]);
    assert_eq!((REPOSITORIES, OPEN, CLOSING.as_secs()), (64, 6, 5));
}

#[test]
fn the_end_waits_for_work_and_not_for_ever() {
    let pool = Arc::new(RepositoryPool::default());
    let (done, closing) = (Arc::new(AtomicBool::new(false)), pool.closing.clone());
    let flag = Arc::clone(&done);
    assert!(pool.spawn("quick", move || {
        while !closing.is_cancelled() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        flag.store(true, Ordering::Relaxed);
    }));
    pool.close();
    assert!(done.load(Ordering::Relaxed), "it reached a safe point");

    let pool = Arc::new(RepositoryPool::default());
    assert!(pool.spawn("slow", || std::thread::sleep(Duration::from_secs(5))));
    let begun = Instant::now();
    pool.close_within(Duration::from_millis(50));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[test]
fn a_thread_that_panics_is_no_longer_counted() {
    let pool = Arc::new(RepositoryPool::default());
    assert!(pool.spawn("panic", || std::panic::resume_unwind(Box::new("on purpose"))));
    pool.close();
    assert_eq!(lock(&pool.live).n_threads, 0);
}

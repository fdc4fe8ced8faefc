//! Tests of mirrors: their names, which of them are kept, and how much a transfer may bring.

use super::*;

#[test]
fn directories_are_told_apart_and_recognised() {
    let name = directory_name("https://e.org/a/kafka.git", "https://e.org/a/kafka.git?token=secret");
    assert!(name.starts_with("kafka-") && name.ends_with(".git"), "{name}");
    assert_ne!(name, directory_name("https://e.org/a/kafka.git", "https://e.org/a/kafka.git?token=other"));
    assert!(!directory_name("x/../..", "x/../..").contains(".."));
}

/// Makes mirrors of about 1 MB each, used the given hours ago; returns the first one, open.
fn mirrors(cache: &Path, hours: &[u64]) -> (Mirror, Vec<PathBuf>) {
    let mut dirs = Vec::new();
    for (n, hours) in hours.iter().enumerate() {
        let dir = cache.join(directory_name(&format!("https://e.org/{n}"), &format!("https://e.org/{n}")));
        create(&dir, &format!("https://e.org/{n}"), "sha1").unwrap();
        fs::write(dir.join("objects/pack/fill"), vec![0; 1_000_000]).unwrap();
        let lock = File::create(dir.with_extension("lock")).unwrap();
        lock.set_modified(SystemTime::now() - Duration::from_secs(3600 * hours)).unwrap();
        dirs.push(dir);
    }
    let cancel = Cancel::default();
    (Mirror::open(cache, "https://e.org/0", false, &cancel).unwrap(), dirs)
}

#[test]
fn the_mirrors_used_longest_ago_go_and_only_as_many_as_needed() {
    // The small files of each are less than 10 kB.
    for (max_bytes, left) in [
        (9_000_000, [0, 1, 2, 3].as_slice()),
        (4_100_000, &[0, 1, 2, 3]),
        (4_000_000, &[0, 1, 3]),
        (3_100_000, &[0, 1, 3]),
        (2_100_000, &[0, 3]),
        (1_100_000, &[0]),
        (0, &[0]),
    ] {
        let cache = tempfile::tempdir().unwrap();
        let (open, dirs) = mirrors(cache.path(), &[9, 2, 3, 1]);
        open.tidy(max_bytes);
        let there: Vec<usize> = (0..dirs.len()).filter(|at| dirs[*at].exists()).collect();
        assert_eq!(there, left, "at most {max_bytes} bytes");
    }
}

#[test]
fn a_mirror_in_use_stays_and_opening_one_is_a_use() {
    let cache = tempfile::tempdir().unwrap();
    let (open, dirs) = mirrors(cache.path(), &[1, 9, 8]);
    let held = File::options().write(true).open(dirs[1].with_extension("lock")).unwrap();
    held.lock_shared().unwrap();
    open.tidy(0);
    assert_eq!([0, 1, 2].map(|at| dirs[at].exists()), [true, true, false]);
    drop(held);

    let cache = tempfile::tempdir().unwrap();
    let (open, dirs) = mirrors(cache.path(), &[1, 9, 8]);
    drop(Mirror::open(cache.path(), "https://e.org/1", false, &Cancel::default()).unwrap());
    open.tidy(2_100_000);
    assert_eq!([0, 1, 2].map(|at| dirs[at].exists()), [true, true, false], "the second was just used");
}

#[test]
fn a_transfer_that_reached_its_bytes_is_cut() {
    let cache = tempfile::tempdir().unwrap();
    let (mut open, dirs) = mirrors(cache.path(), &[1]);
    open.limit(100_000).unwrap();
    let output = |status| Output {
        status: Some(status),
        stdout: Vec::new(),
        stderr: String::new(),
        is_late: false,
        is_cut: false,
    };
    for (len, status, expected) in
        [(95_903, 1, false), (95_904, 1, true), (100_000, 1, true), (100_000, 0, false)]
    {
        fs::write(dirs[0].join("objects/pack/tmp_pack_x"), vec![0; len]).unwrap();
        let mut output = output(status);
        look_at_debris(open.repository(), &mut output);
        assert_eq!(output.is_cut, expected, "{len} bytes, status {status}");
    }
    clear_debris(&dirs[0]);
    assert_eq!(longest_debris(&dirs[0]), 0);
    assert_eq!((TIME.as_secs(), MAX_BYTES), (900, 1 << 30));
}

#[test]
fn many_packs_are_made_one() {
    let cache = tempfile::tempdir().unwrap();
    let (open, dirs) = mirrors(cache.path(), &[1]);
    let repo = open.repository();
    let n_packs = || {
        let entries = fs::read_dir(dirs[0].join("objects/pack")).unwrap();
        entries
            .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|e| e == "pack"))
            .count()
    };
    let mut at = 0;
    let mut add = |n: usize| {
        for _ in 0..n {
            at += 1;
            let blob = repo.git(&["hash-object", "-w", "--stdin"]).input(vec![at; 9]).run().unwrap();
            let id = String::from_utf8(blob.stdout).unwrap();
            let name = format!("refs/x/{at}");
            repo.git(&["update-ref", &name, id.trim()]).run().unwrap();
            let pack = dirs[0].join("objects/pack/pack").display().to_string();
            repo.git(&["pack-objects", "-q", &pack]).input(id.into_bytes()).run().unwrap();
            repo.git(&["prune-packed", "-q"]).run().unwrap();
        }
    };
    add(40);
    open.tidy(u64::MAX);
    assert_eq!(n_packs(), 40);
    add(1);
    open.tidy(u64::MAX);
    assert_eq!(n_packs(), 1);
}

#[test]
fn a_mirror_that_others_read_stays_locked() {
    let cache = tempfile::tempdir().unwrap();
    let cancel = Cancel::default();
    let mirror = Mirror::open(cache.path(), "https://e.org/a", false, &cancel).unwrap();
    mirror.share(&cancel).unwrap();
    let open = || File::options().write(true).open(mirror.dir.with_extension("lock")).unwrap();
    let reader = open();
    reader.lock_shared().unwrap();
    for n in 0..=PACKS {
        fs::write(mirror.dir.join(format!("objects/pack/pack-{n}.pack")), "").unwrap();
    }
    mirror.tidy(u64::MAX);
    drop(reader);
    assert!(open().try_lock().is_err(), "this process still reads it");
    drop(mirror);
}

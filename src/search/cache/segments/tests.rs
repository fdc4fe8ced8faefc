//! Tests of the cache of segments: its bound, the time of use, the files that may serve as a base,
//! and the bytes of a foreign index.

use super::*;
use crate::base::progress::{Cancel, NoProgress};
use crate::base::sharing::Sharing;
use crate::git::testing::Fixture;

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

fn id(n: u8) -> ObjectId {
    ObjectId::from_bytes(&[n; 20]).unwrap()
}

fn snapshot(n: u8) -> Snapshot {
    Snapshot {
        commit: id(n),
        source_tree: id(n),
        index_commit: id(n),
        snapshot_commit: id(n),
        tree: id(n),
        files: id(n),
        is_local: false,
    }
}

/// A repository with an empty cache.
struct Sample {
    _fixture: Fixture,
    repo: Repository,
}

impl Sample {
    fn new() -> Self {
        let (fixture, repo) = Fixture::new().open_kept();
        let sample = Self { _fixture: fixture, repo };
        fs::create_dir_all(sample.cache().dir).unwrap();
        sample
    }

    fn cache(&self) -> Cache<'_> {
        Cache::new(&self.repo)
    }

    /// Returns the file of segment `n`.
    fn path(&self, n: u8) -> PathBuf {
        self.cache().path(&snapshot(n))
    }

    /// Writes a file of this length that was last used `age` ago.
    fn write(&self, path: &Path, len: usize, age: Duration) {
        fs::write(path, vec![0; len]).unwrap();
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    /// Writes a whole segment that was last used `age` ago.
    fn segment(&self, n: u8, age: Duration) {
        SegmentBuilder::new().finish(&id(n).to_string(), &self.path(n), Sharing::Umask).unwrap();
        let file = fs::File::options().append(true).open(self.path(n)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    fn age(&self, n: u8) -> Duration {
        let used = fs::metadata(self.path(n)).unwrap().modified().unwrap();
        SystemTime::now().duration_since(used).unwrap_or_default()
    }

    /// Returns those of segments 1 to 9 that exist.
    fn left(&self) -> Vec<u8> {
        (1..10).filter(|n| self.path(*n).exists()).collect()
    }
}

#[test]
fn a_segment_is_built_in_few_parts_whatever_the_number_of_threads() {
    for (n_files, n_threads, n_parts) in
        [(0, 2, 0), (300, 2, 2), (10_000, 1, 2), (10_000, 2, 4), (10_001, 2, 4), (1_000_000, 64, 8)]
    {
        let len = part_len(n_files, n_threads);
        assert_eq!(n_files.div_ceil(len), n_parts, "{n_files} files, {n_threads} threads");
    }
    assert!(part_len(10, 0) > 0, "a part has a file");
}

#[test]
fn the_segments_used_longest_ago_go_and_only_as_many_as_needed() {
    // Segments 1 to 4 have 100 bytes each and were used 4 to 1 hours ago. Segment 9 is in use.
    for (max_bytes, left) in [
        (1000, [1, 2, 3, 4, 9].as_slice()),
        (400, &[1, 2, 3, 4, 9]),
        (399, &[2, 3, 4, 9]),
        (300, &[2, 3, 4, 9]),
        (299, &[3, 4, 9]),
        (100, &[4, 9]),
        (99, &[9]),
        (0, &[9]),
    ] {
        let sample = Sample::new();
        for n in 1..=4_u8 {
            sample.write(&sample.path(n), 100, HOUR * u32::from(5 - n));
        }
        sample.write(&sample.path(9), 100, 9 * HOUR);
        sample.cache().evict(max_bytes, &snapshot(9));
        assert_eq!(sample.left(), left, "at most {max_bytes} bytes");
    }
}

#[test]
fn a_graph_counts_with_its_segment_and_goes_with_it() {
    for (max_bytes, left) in [(350, [1, 2, 9].as_slice()), (349, &[2, 9]), (250, &[2, 9]), (249, &[9])] {
        let sample = Sample::new();
        for (n, age) in [(1, 3 * HOUR), (2, 2 * HOUR), (9, HOUR)] {
            sample.write(&sample.path(n), 100, age);
        }
        sample.write(&neighbours_path(&sample.path(2)), 150, HOUR);
        sample.write(&neighbours_path(&sample.path(9)), 150, 9 * DAY);
        sample.cache().evict(max_bytes, &snapshot(9));
        assert_eq!(sample.left(), left, "at most {max_bytes} bytes");
        assert_eq!(neighbours_path(&sample.path(2)).exists(), sample.path(2).exists());
        assert!(neighbours_path(&sample.path(9)).exists(), "that of the segment in use stays");
    }
}

#[test]
fn remains_go_after_a_day() {
    let sample = Sample::new();
    let dir = sample.cache().dir;
    let minute = Duration::from_secs(60);
    for (name, age, stays) in [
        (".cora-temporary".to_owned(), DAY - minute, true),
        (".cora-temporary".to_owned(), DAY + minute, false),
        (format!("{}-{}.v1", id(3), id(3).abbreviated(20)), DAY - minute, true),
        (format!("{}-{}.v1", id(3), id(3).abbreviated(20)), DAY + minute, false),
        (format!("{}.hnsw", sample.path(4).file_name().unwrap().to_str().unwrap()), DAY + minute, false),
    ] {
        let path = dir.join(name);
        sample.write(&path, 1, age);
        sample.cache().evict(1 << 30, &snapshot(9));
        assert_eq!(path.exists(), stays, "{} after {age:?}", path.display());
        let _ = fs::remove_file(path);
    }
}

#[test]
fn an_opened_segment_counts_as_used_but_not_at_each_opening() {
    let sample = Sample::new();
    let minute = Duration::from_secs(60);
    for (age, is_renewed) in [(HOUR - minute, false), (HOUR + minute, true), (9 * DAY, true)] {
        sample.segment(1, age);
        assert!(sample.cache().exact(&snapshot(1)).is_some());
        assert_eq!(sample.age(1) < minute, is_renewed, "exact after {age:?}");
        sample.segment(1, age);
        assert_eq!(sample.cache().candidates().count(), 1);
        assert_eq!(sample.age(1) < minute, is_renewed, "as a base after {age:?}");
    }
}

#[test]
fn use_protects_a_segment_from_eviction() {
    let sample = Sample::new();
    for n in 1..=3 {
        sample.segment(n, 9 * HOUR - HOUR * u32::from(n));
    }
    let len = fs::metadata(sample.path(1)).unwrap().len();
    assert!(sample.cache().exact(&snapshot(1)).is_some());
    sample.cache().evict(2 * len, &snapshot(9));
    assert_eq!(sample.left(), [1, 3], "the second was used longest ago");
}

#[test]
fn the_six_used_last_are_candidates_for_a_base() {
    let sample = Sample::new();
    for n in 1..=8 {
        sample.segment(n, HOUR / 2 - Duration::from_secs(60) * u32::from(n));
    }
    let files: Vec<ObjectId> = sample.cache().candidates().map(|base| base.files).collect();
    assert_eq!(files, [8, 7, 6, 5, 4, 3].map(id));
}

#[test]
fn a_damaged_or_foreign_segment_is_removed() {
    let sample = Sample::new();
    fs::write(sample.path(1), "damaged").unwrap();
    SegmentBuilder::new().finish(&id(7).to_string(), &sample.path(2), Sharing::Umask).unwrap();
    for n in [1, 2] {
        assert!(sample.cache().has(&snapshot(n)));
        assert!(sample.cache().exact(&snapshot(n)).is_none());
        assert!(!sample.cache().has(&snapshot(n)), "segment {n}");
    }
    sample.segment(3, HOUR);
    sample.cache().clear();
    assert!(sample.left().is_empty());
}

#[test]
fn whoever_waited_looks_again_before_building() {
    let sample = Sample::new();
    let looks = std::cell::Cell::new(0);
    let look = || {
        looks.set(looks.get() + 1);
        (looks.get() == 2).then_some("found")
    };
    let (cancel, cache) = (Cancel::default(), sample.cache());
    let task = Task::new(&NoProgress, &cancel);
    assert_eq!(cache.find_or_build(look, || Ok("built"), task).unwrap(), "found");
    assert_eq!(cache.find_or_build(|| None, || Ok("built"), task).unwrap(), "built");
}

#[test]
fn bytes_of_a_foreign_index_are_bounded() {
    let (fixture, repo) = Fixture::with_history().open_kept();
    assert!(allowance(&repo, &snapshot(1)).unwrap().is_none(), "a whole repository has the sources");
    fixture.git(&["config", "remote.origin.promisor", "true"]);
    fixture.git(&["config", "cora.remoteBytes", "2m"]);
    let partial = fixture.open();
    assert_eq!(allowance(&partial, &snapshot(1)).unwrap().map(|all| all.bytes), Some(2 << 20));
    let foreign = Allowance::new(id(1), 100);
    foreign.read(60).unwrap();
    foreign.read(40).unwrap();
    foreign.read(0).unwrap();
    assert!(matches!(foreign.read(1), Err(Error::Git(git::Error::Limit { .. }))));
}

#[test]
fn chunks_of_a_foreign_index_are_bounded_by_the_bytes_that_came() {
    let small = Allowance::new(id(1), 100);
    small.add_chunks(FREE_CHUNKS, || unreachable!("every index may have these")).unwrap();
    assert!(matches!(small.add_chunks(1, || Some(5)), Err(Error::Git(git::Error::Limit { .. }))));
    let large = Allowance::new(id(1), 100);
    let most = 2 * FREE_CHUNKS;
    large.add_chunks(most, || Some(most * STORED_BYTES_PER_CHUNK)).unwrap();
    assert!(large.add_chunks(1, || None).is_err());
    Allowance::new(id(1), 100).add_chunks(u64::MAX / 2, || None).unwrap();
    let (_fixture, repo) = Fixture::with_history().open_kept();
    assert!(repo.stored_bytes().unwrap() > 100);
}

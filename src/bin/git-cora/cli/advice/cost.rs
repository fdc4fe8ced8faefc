//! What a first index will cost: said before the work, if the repository is large.
//!
//! An estimate from the number of files, the sizes of some of them, and the number of threads.

use git_cora::Session;
use git_cora::answer::view::counted;
use git_cora::base::config;
use git_cora::base::id::ObjectId;
use git_cora::index;

use crate::terminal::Context;

/// Shortest work that is announced, in seconds. Below it, the progress bar is enough.
const LONG: u64 = 20;
/// Number of files whose sizes are read: enough for one significant figure, in a few milliseconds.
const SAMPLE: usize = 1_000;
/// Bytes that one thread indexes in a second (doc/bench.md).
const BYTES_PER_SECOND: u64 = 5_000_000;
/// Files that one thread indexes in a second, if they are small.
const FILES_PER_SECOND: u64 = 700;
/// Size of index and cache in percent of the source (doc/bench.md).
const STORED_PERCENT: u64 = 110;

/// The expected cost of a first index.
#[derive(Debug, PartialEq, Eq)]
struct Cost {
    n_files: u64,
    source_bytes: u64,
    n_threads: u64,
}

impl Cost {
    fn seconds(&self) -> u64 {
        let by_bytes = self.source_bytes / BYTES_PER_SECOND;
        by_bytes.max(self.n_files / FILES_PER_SECOND) / self.n_threads.max(1)
    }

    /// Describes the cost; `None` if it is not worth mentioning.
    fn text(&self) -> Option<String> {
        let seconds = self.seconds();
        if seconds < LONG {
            return None;
        }
        let time = match seconds {
            0..90 => format!("{} seconds", seconds.div_ceil(10) * 10),
            _ => format!("{} minutes", seconds.div_ceil(60)),
        };
        let megabytes = |bytes: u64| format!("{} MB", (bytes / 1_000_000).max(1));
        Some(format!(
            "indexing this repository for the first time reads {} ({}); expect about {time} with {}, and \
            about {} on disk",
            counted(self.n_files, "file", "files"),
            megabytes(self.source_bytes),
            counted(self.n_threads, "thread", "threads"),
            megabytes(self.source_bytes * STORED_PERCENT / 100)
        ))
    }
}

/// Says what the index of `commit` will cost, if nothing is indexed yet and it takes long.
pub(crate) fn announce(context: &Context, session: &Session, commit: ObjectId) -> anyhow::Result<()> {
    // A partial clone would fetch the files whose sizes are read, one by one.
    if context.is_quiet()
        || session.repo().is_partial()
        || !index::indexed_commits(session.repo())?.is_empty()
    {
        return Ok(());
    }
    let repo = session.repo();
    let files = repo.tree_files(repo.commit(commit)?.tree)?;
    let limit = repo.setting(&config::MAX_FILE_BYTES)?;
    let step = files.len().div_ceil(SAMPLE).max(1);
    let (mut n_sampled, mut bytes) = (0u64, 0u64);
    for file in files.iter().step_by(step) {
        n_sampled += 1;
        // A file above the limit is skipped.
        bytes += repo.blob_size(file.id)?.filter(|size| *size <= limit).unwrap_or(0);
    }
    let n_files = files.len() as u64;
    let cost = Cost {
        n_files,
        source_bytes: bytes * n_files / n_sampled.max(1),
        n_threads: rayon::current_num_threads() as u64,
    };
    if let Some(text) = cost.text() {
        context.say(&format!("note: {text}"));
        context.say(
            "hint: if somebody pushed the index, press Ctrl-C and run 'git cora fetch' instead; \
            stopping now leaves nothing behind",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_work_is_announced() {
        let cost = |n_files, source_bytes, n_threads| Cost { n_files, source_bytes, n_threads }.text();
        assert_eq!(cost(6_500, 66_000_000, 2), None);
        let said = "indexing this repository for the first time reads 80000 files (1400 MB); expect about 3 \
            minutes with 2 threads, and about 1540 MB on disk";
        assert_eq!(cost(80_000, 1_400_000_000, 2).unwrap(), said);
        let said = cost(40_000, 30_000_000, 1).unwrap();
        assert!(said.contains("about 60 seconds with 1 thread, and about 33 MB"), "{said}");
    }
}

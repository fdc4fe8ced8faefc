//! The threads that answer requests, and the requests that wait for one.
//!
//! Owns [`Workers`]. The main thread only reads messages, so a slow request holds up neither the
//! changes of documents nor other requests.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use git_cora::base::threads::lock;

/// Number of threads. A request that waits for an index keeps one.
const THREADS: usize = 8;
/// Most requests that wait for a thread.
const WAITING: usize = 1000;

type Job = Box<dyn FnOnce() + Send>;

/// Threads with a common queue.
#[derive(Default)]
pub(super) struct Workers {
    queue: Mutex<VecDeque<Job>>,
    changed: Condvar,
}

impl Workers {
    /// Starts the threads.
    pub(super) fn start() -> std::io::Result<Arc<Self>> {
        let workers = Arc::new(Self::default());
        for _ in 0..THREADS {
            let own = Arc::clone(&workers);
            std::thread::Builder::new().name("request".to_owned()).spawn(move || {
                loop {
                    own.next()();
                }
            })?;
        }
        Ok(workers)
    }

    /// Queues a job; returns whether there was room.
    pub(super) fn push(&self, job: impl FnOnce() + Send + 'static) -> bool {
        let mut queue = lock(&self.queue);
        if queue.len() >= WAITING {
            return false;
        }
        queue.push_back(Box::new(job));
        self.changed.notify_one();
        true
    }

    fn next(&self) -> Job {
        let mut queue = lock(&self.queue);
        loop {
            if let Some(job) = queue.pop_front() {
                return job;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn jobs_run_in_parallel_and_the_queue_has_an_end() {
        let workers = Workers::start().unwrap();
        let (open, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let (done, finished) = mpsc::channel();
        // All but one of the threads wait at the gate.
        for _ in 1..THREADS {
            let gate = Arc::clone(&gate);
            let wait = move || {
                let _ = gate.lock().unwrap().recv();
            };
            assert!(workers.push(wait));
        }
        let report = done.clone();
        assert!(workers.push(move || report.send(()).unwrap()));
        finished.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
        drop(open);
        let idle = Workers::default();
        assert!((0..WAITING).all(|_| idle.push(|| ())));
        assert!(!idle.push(|| ()));
    }
}

//! Parallel work in a few shares, each on a thread of its own.
//!
//! This is for work that a user waits for, such as a query. It does not use the rayon pool, where
//! it would queue behind indexing tasks. If a thread can't be started, its work is done on the
//! calling thread.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, ScopedJoinHandle, scope};

/// Locks a mutex, even if a thread panicked while it held the lock. The values behind the mutexes
/// of this program are valid after every step, so the panic of one thread need not fail the others.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does two things and returns the results of both.
///
/// With `at_once` they run in parallel, the second on a thread of its own. Otherwise they run one
/// after the other.
///
/// # Panics
/// Panics if one of them does.
pub fn both<A, B: Send>(at_once: bool, first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    if !at_once {
        return (first(), second());
    }
    scope(|scope| {
        let thread = Builder::new().spawn_scoped(scope, &second).ok();
        (first(), joined(thread, &second))
    })
}

/// Does work on each item, all in parallel, the first on this thread. Returns the results in the
/// order of the items.
///
/// # Panics
/// Panics if the work does.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let Some((own, others)) = items.split_first() else { return Vec::new() };
    let work = &work;
    scope(|scope| {
        let start = |item| Builder::new().spawn_scoped(scope, move || work(item)).ok();
        let threads: Vec<_> = others.iter().map(|item| (item, start(item))).collect();
        let mut results = vec![work(own)];
        results.extend(threads.into_iter().map(|(item, thread)| joined(thread, || work(item))));
        results
    })
}

/// Does work on at most `n_threads` shares of the items, in parallel. Shares have about equal
/// length. Returns the results in the order of the items.
///
/// # Panics
/// Panics if the work does.
pub fn shares<T: Sync, R: Send>(items: &[T], n_threads: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let shares: Vec<&[T]> = items.chunks(items.len().div_ceil(n_threads.max(1)).max(1)).collect();
    each(&shares, |share| work(share))
}

/// Returns how many threads to use for some items: one per `least` items, at most as many as
/// indexing uses.
pub fn worth(n_items: usize, least: usize) -> usize {
    match n_items / least.max(1) {
        n @ 2.. => n.min(rayon::current_num_threads()),
        _ => 1,
    }
}

/// Returns the result of a thread. If the thread could not be started, does its work here.
fn joined<R>(thread: Option<ScopedJoinHandle<'_, R>>, work: impl FnOnce() -> R) -> R {
    match thread.map(ScopedJoinHandle::join) {
        Some(Ok(result)) => result,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => work(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_does_not_keep_others_from_a_lock() {
        let mutex = std::sync::Mutex::new(1);
        let panicked = std::panic::catch_unwind(|| {
            let _guard = super::lock(&mutex);
            std::panic::resume_unwind(Box::new("on purpose"));
        });
        assert!(panicked.is_err() && mutex.is_poisoned());
        assert_eq!(*super::lock(&mutex), 1);
    }

    #[test]
    fn results_are_in_the_order_of_items() {
        let squares = |items: &[u32]| super::each(items, |n| n * n);
        assert!(squares(&[]).is_empty());
        assert_eq!(squares(&[3]), [9]);
        assert_eq!(squares(&[5, 1, 4, 2]), [25, 1, 16, 4]);
        let panicked = std::panic::catch_unwind(|| super::each(&[1, 0], |n| 1 / n));
        assert!(panicked.is_err());
    }

    #[test]
    fn shares_are_all_items_in_order() {
        for n in [0, 1, 2, 3, 7, 8] {
            let shares = super::shares(&[5, 1, 4, 2, 9, 9, 3], n, <[i32]>::to_vec);
            assert!(shares.len() <= n.max(1));
            assert_eq!(shares.concat(), [5, 1, 4, 2, 9, 9, 3]);
        }
        assert!(super::shares(&[], 3, <[i32]>::to_vec).is_empty());
    }

    #[test]
    fn few_items_are_worth_one_thread() {
        assert_eq!([0, 9, 19].map(|n| super::worth(n, 10)), [1; 3]);
        assert!((1..=3).contains(&super::worth(39, 10)));
    }

    #[test]
    fn both_are_done_at_once_or_not() {
        for at_once in [true, false] {
            let mut first = 0;
            assert_eq!(super::both(at_once, || first += 1, || 2), ((), 2));
            assert_eq!(first, 1);
            let zero = std::hint::black_box(0);
            let panicked = std::panic::catch_unwind(|| super::both(at_once, || 1, || 1 / zero));
            assert!(panicked.is_err());
        }
    }
}

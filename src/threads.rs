//! Work in a few shares, each on a thread of its own: for what somebody waits for, which must not queue behind the tasks of
//! indexing.

use std::thread::{Builder, ScopedJoinHandle, scope};

/// Does work on each of some items, all at once, the first on this thread; gives the results in the items' order.
///
/// # Panics
/// If the work does.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let Some((own, others)) = items.split_first() else { return Vec::new() };
    let work = &work;
    scope(|scope| {
        let start = |item| Builder::new().spawn_scoped(scope, move || work(item)).ok();
        let threads: Vec<_> = others.iter().map(|item| (item, start(item))).collect();
        let mut results = vec![work(own)];
        results.extend(threads.into_iter().map(|(item, thread)| match thread.map(ScopedJoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            // Where no thread was to be had, this one does its work.
            None => work(item),
        }));
        results
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_items() {
        let squares = |items: &[u32]| super::each(items, |n| n * n);
        assert!(squares(&[]).is_empty());
        assert_eq!(squares(&[3]), [9]);
        assert_eq!(squares(&[5, 1, 4, 2]), [25, 1, 16, 4]);
        let panicked = std::panic::catch_unwind(|| super::each(&[1, 0], |n| 1 / n));
        assert!(panicked.is_err());
    }
}

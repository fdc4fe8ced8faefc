//! The open connections of the server: which of them makes room for a new one.
//!
//! Owns [`Connections`], a bounded list, and [`Connection`], what is known of one of them. When the
//! list is full, a new connection takes the place of another:
//! 1. the oldest that has no request at work and never showed the token;
//! 2. the oldest that never showed the token;
//! 3. of those that did, the one without a request at work for the longest time.
//!
//! So clients that are idle or slow can't keep others out, and a request with the token is always
//! brought to its end.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::Notify;

use git_cora::base::threads::lock;

/// The open connections, oldest first.
pub(super) struct Connections {
    open: Mutex<Vec<Arc<Connection>>>,
    most: usize,
    /// Wakes whoever waits for a place.
    changed: Arc<Notify>,
}

/// An open connection.
pub(super) struct Connection {
    /// Whether a request on it had the token.
    is_authorized: AtomicBool,
    n_requests: AtomicUsize,
    last_used: Mutex<Instant>,
    end: Notify,
    changed: Arc<Notify>,
}

/// Guard that keeps the place of a connection until it is dropped.
pub(super) struct Place {
    connections: Arc<Connections>,
    connection: Arc<Connection>,
}

/// Guard that counts a request as at work until it is dropped.
pub(super) struct AtWork(Arc<Connection>);

impl Connections {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { open: Mutex::default(), most, changed: Arc::default() })
    }

    /// Takes a place for a new connection, and waits if every other one has a request with the
    /// token at work.
    pub(super) async fn enter(self: &Arc<Self>) -> Place {
        loop {
            if let Some(place) = self.try_enter() {
                return place;
            }
            self.changed.notified().await;
        }
    }

    fn try_enter(self: &Arc<Self>) -> Option<Place> {
        let mut open = lock(&self.open);
        if open.len() >= self.most {
            let at = to_end(&open)?;
            open.remove(at).end.notify_one();
        }
        let connection = Arc::new(Connection {
            is_authorized: AtomicBool::new(false),
            n_requests: AtomicUsize::new(0),
            last_used: Mutex::new(Instant::now()),
            end: Notify::new(),
            changed: Arc::clone(&self.changed),
        });
        open.push(Arc::clone(&connection));
        Some(Place { connections: Arc::clone(self), connection })
    }
}

/// Returns the position of the connection that makes room for a new one.
fn to_end(open: &[Arc<Connection>]) -> Option<usize> {
    let idle = |one: &&Arc<Connection>| one.n_requests.load(Ordering::Relaxed) == 0;
    let stranger = |one: &&Arc<Connection>| !one.is_authorized.load(Ordering::Relaxed);
    let of = |which: &dyn Fn(&&Arc<Connection>) -> bool| open.iter().position(|one| which(&one));
    of(&|one| stranger(one) && idle(one)).or_else(|| of(&stranger)).or_else(|| {
        let known = open.iter().enumerate().filter(|(_, one)| idle(one));
        known.min_by_key(|(_, one)| *lock(&one.last_used)).map(|(at, _)| at)
    })
}

impl Connection {
    /// Notes that a request on it had the token.
    pub(super) fn authorize(&self) {
        self.is_authorized.store(true, Ordering::Relaxed);
    }

    /// Notes that a request is at work.
    pub(super) fn begin(self: &Arc<Self>) -> AtWork {
        self.n_requests.fetch_add(1, Ordering::Relaxed);
        AtWork(Arc::clone(self))
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        *lock(&self.0.last_used) = Instant::now();
        self.0.n_requests.fetch_sub(1, Ordering::Relaxed);
        self.0.changed.notify_one();
    }
}

impl Place {
    pub(super) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }

    /// Waits until the connection has to make room for another one.
    pub(super) async fn ended(&self) {
        self.connection.end.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.connections.open).retain(|one| !Arc::ptr_eq(one, &self.connection));
        self.connections.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns which of these connections are still open.
    fn open(connections: &Connections, all: &[&Place]) -> Vec<usize> {
        let open = lock(&connections.open);
        let is_open = |place: &Place| open.iter().any(|one| Arc::ptr_eq(one, &place.connection));
        (0..all.len()).filter(|at| is_open(all[*at])).collect()
    }

    #[test]
    fn strangers_make_room_before_those_with_the_token() {
        let connections = Connections::new(4);
        let enter = || connections.try_enter().unwrap();
        let [known, busy, slow, idle] = [enter(), enter(), enter(), enter()];
        known.connection().authorize();
        busy.connection().authorize();
        let _at_work = busy.connection().begin();
        let _reading = slow.connection().begin();
        let all = [&known, &busy, &slow, &idle];
        assert_eq!(open(&connections, &all), [0, 1, 2, 3]);
        let first = enter();
        assert_eq!(open(&connections, &all), [0, 1, 2], "the idle stranger, although it is the youngest");
        first.connection().authorize();
        let _first = first.connection().begin();
        let second = enter();
        assert_eq!(open(&connections, &all), [0, 1], "then the slow stranger");
        second.connection().authorize();
        let at_work = second.connection().begin();
        let third = enter();
        assert_eq!(open(&connections, &all), [1], "then the one that has the token and does nothing");
        third.connection().authorize();
        let _third = third.connection().begin();
        assert!(connections.try_enter().is_none(), "requests with the token are never broken off");
        drop(at_work);
        let fourth = enter();
        assert_eq!(open(&connections, &[&first, &second, &third, &fourth]), [0, 2, 3]);
    }

    #[test]
    fn of_equals_the_oldest_makes_room() {
        let connections = Connections::new(3);
        let places: Vec<Place> = (0..5).map(|_| connections.try_enter().unwrap()).collect();
        assert_eq!(open(&connections, &places.iter().collect::<Vec<_>>()), [2, 3, 4]);
        for place in &places {
            place.connection().authorize();
        }
        // The third was used last.
        drop(places[2].connection().begin());
        let _sixth = connections.try_enter().unwrap();
        assert_eq!(open(&connections, &places.iter().collect::<Vec<_>>()), [2, 4]);
    }

    #[tokio::test]
    async fn a_place_is_waited_for_and_given_back() {
        let connections = Connections::new(1);
        let first = connections.enter().await;
        first.connection().authorize();
        let at_work = first.connection().begin();
        let waiting = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.enter().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(at_work);
        let second = waiting.await.unwrap();
        first.ended().await;
        drop(first);
        assert_eq!(lock(&connections.open).len(), 1, "the second is counted");
        drop(second);
        assert!(lock(&connections.open).is_empty());
    }
}

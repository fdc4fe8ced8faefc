//! Tests of the bounds of a request: its parts, its queue and its time.

use super::*;

fn asked(change: impl Fn(&mut serde_json::Value)) -> QueryRequest {
    let mut request = serde_json::json!({
        "messages": [{ "role": "user", "content": "x" }],
        "repos": [{}],
        "boost": { "files": [], "declarations": [] },
    });
    change(&mut request);
    serde_json::from_value(request).unwrap()
}

#[test]
fn every_part_of_a_request_is_bounded() {
    let many = |value: serde_json::Value, n: usize| serde_json::Value::from(vec![value; n]);
    let message = || serde_json::json!({ "role": "user", "content": "x" });
    for (n, is_good) in [(0, false), (1, true), (16, true), (17, false)] {
        let request = asked(|request| request["repos"] = many(serde_json::json!({}), n));
        assert_eq!(check(&request).is_ok(), is_good, "{n} repositories");
    }
    for (n, is_good) in [(0, false), (1, true), (1000, true), (1001, false)] {
        let request = asked(|request| request["messages"] = many(message(), n));
        assert_eq!(check(&request).is_ok(), is_good, "{n} messages");
    }
    for (n, is_good) in [(0, true), (100, true), (101, false)] {
        let file = serde_json::json!({ "path": "a" });
        let request = asked(|request| request["boost"]["files"] = many(file.clone(), n));
        assert_eq!(check(&request).is_ok(), is_good, "{n} files");
        let declaration = serde_json::json!({ "name": "a" });
        let request = asked(|request| request["boost"]["declarations"] = many(declaration.clone(), n));
        assert_eq!(check(&request).is_ok(), is_good, "{n} declarations");
    }
    for (length, is_good) in [(0, false), (1, true), (2_000_000, true), (2_000_001, false)] {
        let request = asked(|request| request["approxLength"] = length.into());
        assert_eq!(check(&request).is_ok(), is_good, "{length} characters");
    }
}

#[test]
fn versions_are_short_and_plain() {
    let long = |len: usize| "v".repeat(len);
    for (name, is_plain) in [
        ("main", true),
        ("feature/x-1.2_3", true),
        ("HEAD~2^", true),
        (long(200).as_str(), true),
        (long(201).as_str(), false),
        ("-x", false),
        ("a..b", false),
        (":/text", false),
        ("HEAD@{1}", false),
        ("a b", false),
        ("é", false),
    ] {
        assert_eq!(is_plain_version(name), is_plain, "{name}");
    }
}

#[test]
fn longer_answers_look_for_more_results() {
    for (length, n_repos, expected) in [
        (0, 1, 10),
        (4_399, 1, 10),
        (4_400, 1, 11),
        (20_000, 1, 50),
        (20_000, 2, 25),
        (40_399, 1, 100),
        (2_000_000, 1, 100),
    ] {
        assert_eq!(limit(length, n_repos), expected, "{length} {n_repos}");
    }
}

fn patience(queue_ms: u64, total_ms: u64) -> RetryLimits {
    RetryLimits { queue: Duration::from_millis(queue_ms), total: Duration::from_millis(total_ms) }
}

#[tokio::test]
async fn work_waits_for_its_turn_and_not_for_ever() {
    let turns = Arc::new(Semaphore::new(1));
    assert_eq!(work_within(&turns, patience(50, 5000), |_| Ok(7)).await.unwrap(), 7);
    let held = Arc::clone(&turns).acquire_owned().await.unwrap();
    let begun = Instant::now();
    let refused = work_within(&turns, patience(50, 5000), |_| Ok(7)).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Busy);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let later = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(held);
    });
    assert_eq!(work_within(&turns, patience(5000, 5000), |_| Ok(7)).await.unwrap(), 7);
    later.await.unwrap();
}

#[tokio::test]
async fn work_that_takes_too_long_is_stopped_and_keeps_its_turn_until_then() {
    let turns = Arc::new(Semaphore::new(1));
    let slow = |cancel: &Cancel| {
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(5));
        }
        // The next safe point is a little later.
        std::thread::sleep(Duration::from_millis(200));
        Ok(())
    };
    let late = work_within(&turns, patience(50, 50), slow).await.unwrap_err();
    assert_eq!(late.kind, Kind::TimedOut);
    assert_eq!(turns.available_permits(), 0, "its thread is still at work");
    assert!(work_within(&turns, patience(5000, 5000), |_| Ok(())).await.is_ok());
    assert_eq!(turns.available_permits(), 1);
}

#[test]
fn requests_have_seconds() {
    let seconds = [PATIENCE, TOTAL, QUEUE].map(|limit| limit.as_secs());
    assert_eq!((seconds, AT_ONCE), ([5, 30, 2], 16));
}

//! Retries: a failure → whether to repeat the request, and the pause before it.
//!
//! Pauses double and are randomised, so that many clients do not return at the same moment. A
//! longer pause that the server asks for is respected up to a limit. This module only computes: the
//! client waits.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

/// The limits on repeating a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryLimits {
    /// Maximum number of requests including the first; at least 1.
    pub attempts: u32,
    /// The pause after the first failure. It doubles with each further failure.
    pub first_pause: Duration,
    /// Maximum pause, unless the server asks for a longer one.
    pub longest_pause: Duration,
    /// Maximum pause that a server may ask for; a longer one is an error.
    pub longest_asked: Duration,
    /// Whether a request is repeated after a time-out. All attempts together may then take several
    /// times as long.
    pub repeats_late: bool,
}

impl RetryLimits {
    /// For long tasks: pauses of about a minute in all, or as long as the server asks for.
    pub const LONG: Self = Self {
        attempts: 7,
        first_pause: Duration::from_secs(1),
        longest_pause: Duration::from_secs(60),
        longest_asked: Duration::from_secs(300),
        repeats_late: true,
    };

    /// For an answer that a user waits for: one more attempt, unless the first one timed out.
    pub const SHORT: Self = Self {
        attempts: 2,
        first_pause: Duration::from_millis(200),
        longest_pause: Duration::from_millis(200),
        longest_asked: Duration::from_secs(1),
        repeats_late: false,
    };

    /// Returns the pause after failure `n` (from 1); `None` after the last attempt.
    ///
    /// It is the pause that the server asked for. Otherwise it is random, between half of the
    /// doubled pause and all of it, so that clients do not return simultaneously.
    pub(super) fn pause(&self, n: u32, asked: Option<Duration>) -> Option<Duration> {
        if n >= self.attempts || asked.is_some_and(|asked| asked > self.longest_asked) {
            return None;
        }
        let doubled = self.first_pause.saturating_mul(1u32.checked_shl(n - 1).unwrap_or(u32::MAX));
        let pause = doubled.min(self.longest_pause);
        let jittered = pause / 2 + (pause / 2).mul_f64(random());
        Some(asked.map_or(jittered, |asked| asked.max(jittered.min(Duration::from_millis(100)))))
    }
}

/// Returns whether a request with this status may succeed later.
pub(super) fn is_passing(status: u16) -> bool {
    // 529 means "overloaded" at Anthropic and Voyage.
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
}

/// Parses the pause in a `Retry-After` header: seconds, with a fraction on some servers, or a date.
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = httpdate::parse_http_date(value).ok()?;
    Some(at.duration_since(now).unwrap_or_default())
}

/// Returns a number from 0 to 1 that differs between processes and calls.
fn random() -> f64 {
    f64::from(u32::try_from(RandomState::new().hash_one(SystemTime::now()) >> 32).unwrap_or(0))
        / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_end() {
        let patience = RetryLimits { attempts: 9, ..RetryLimits::LONG };
        for (n, most) in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (8, 60)] {
            let pause = patience.pause(n, None).unwrap().as_secs_f64();
            assert!((f64::from(most) / 2.0..=f64::from(most)).contains(&pause), "{n}: {pause}");
        }
        assert_eq!(patience.pause(9, None), None);
        assert!(RetryLimits { attempts: 40, ..patience }.pause(39, None).unwrap() <= patience.longest_pause);
    }

    #[test]
    fn jitter_differs() {
        let all: std::collections::HashSet<_> = (0..20).map(|_| RetryLimits::LONG.pause(3, None)).collect();
        assert!(all.len() > 10);
    }

    #[test]
    fn the_server_is_obeyed_within_reason() {
        let asked = |s| Some(Duration::from_secs(s));
        assert_eq!(RetryLimits::LONG.pause(1, asked(7)), asked(7));
        assert_eq!(RetryLimits::LONG.pause(1, asked(300)), asked(300));
        assert_eq!(RetryLimits::LONG.pause(1, asked(301)), None);
        assert_eq!(RetryLimits::SHORT.pause(1, asked(1)), asked(1));
        assert_eq!(RetryLimits::SHORT.pause(1, asked(2)), None);
        let pauses = |patience: RetryLimits| (1..20).filter(|n| patience.pause(*n, None).is_some()).count();
        assert_eq!(
            (pauses(RetryLimits::LONG), pauses(RetryLimits::SHORT)),
            (6, 1),
            "one fewer than attempts"
        );
        assert_eq!([RetryLimits::LONG.repeats_late, RetryLimits::SHORT.repeats_late], [true, false]);
        // A pause of zero still leaves the server a moment.
        assert!(RetryLimits::LONG.pause(1, asked(0)).unwrap() >= Duration::from_millis(100));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let cases = [
            ("120", Some(120.0)),
            (" 0.5 ", Some(0.5)),
            ("Sun, 06 Nov 1994 08:50:07 GMT", Some(30.0)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0.0)),
            ("soon", None),
            ("-1", None),
            ("NaN", None),
            ("1e300", None),
        ];
        for (value, expected) in cases {
            assert_eq!(retry_after(value, now).map(|pause| pause.as_secs_f64()), expected, "{value}");
        }
    }
}

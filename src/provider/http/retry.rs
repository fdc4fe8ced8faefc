//! When a failed request is repeated, and after which pause.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

/// How often and how long to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Requests in all, the first included; from 1.
    pub attempts: u32,
    /// The pause after the first failure. It doubles with each further one.
    pub first_pause: Duration,
    /// The longest pause, unless the server asks for a longer one.
    pub longest_pause: Duration,
    /// The longest pause that a server may ask for; a longer one is an error.
    pub longest_asked: Duration,
    /// Whether a request is repeated that had no answer in time, so that all may take several times as long.
    pub repeats_late: bool,
}

impl Patience {
    /// For long work: gives up after pauses of about a minute in all, or as the server asks.
    pub const LONG: Self = Self {
        attempts: 7,
        first_pause: Duration::from_secs(1),
        longest_pause: Duration::from_secs(60),
        longest_asked: Duration::from_secs(300),
        repeats_late: true,
    };

    /// For an answer that somebody waits for: one more attempt, unless the first has taken all the time.
    pub const SHORT: Self = Self {
        attempts: 2,
        first_pause: Duration::from_millis(200),
        longest_pause: Duration::from_millis(200),
        longest_asked: Duration::from_secs(1),
        repeats_late: false,
    };

    /// The pause after the `n`th failure (from 1): what the server asked for, or half to all of the doubled first one,
    /// so that many clients do not come back at once. `None` when it is over.
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

/// Whether a request with this status may go well the next time.
pub(super) fn is_passing(status: u16) -> bool {
    // 529: Anthropic's and Voyage's word for «overloaded».
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
}

/// The pause that a `Retry-After` header asks for: seconds, with a fraction by some servers, or a date.
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = httpdate::parse_http_date(value).ok()?;
    Some(at.duration_since(now).unwrap_or_default())
}

/// A number from 0 to 1 that differs from process to process and call to call.
fn random() -> f64 {
    f64::from(u32::try_from(RandomState::new().hash_one(SystemTime::now()) >> 32).unwrap_or(0))
        / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_end() {
        let patience = Patience { attempts: 9, ..Patience::LONG };
        for (n, most) in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (8, 60)] {
            let pause = patience.pause(n, None).unwrap().as_secs_f64();
            assert!((f64::from(most) / 2.0..=f64::from(most)).contains(&pause), "{n}: {pause}");
        }
        assert_eq!(patience.pause(9, None), None);
        assert!(Patience { attempts: 40, ..patience }.pause(39, None).unwrap() <= patience.longest_pause);
    }

    #[test]
    fn jitter_differs() {
        let all: std::collections::HashSet<_> = (0..20).map(|_| Patience::LONG.pause(3, None)).collect();
        assert!(all.len() > 10);
    }

    #[test]
    fn the_server_is_obeyed_within_reason() {
        let asked = |s| Some(Duration::from_secs(s));
        assert_eq!(Patience::LONG.pause(1, asked(7)), asked(7));
        assert_eq!(Patience::LONG.pause(1, asked(301)), None);
        assert_eq!(Patience::SHORT.pause(1, asked(2)), None);
        // «At once» still leaves the server a moment.
        assert!(Patience::LONG.pause(1, asked(0)).unwrap() >= Duration::from_millis(100));
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

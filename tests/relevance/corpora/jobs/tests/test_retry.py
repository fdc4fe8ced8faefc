"""Tests of the retry policy: exponential backoff, ceiling, jitter, exhausted attempts."""

from jobs.retry import RetryPolicy


def test_delay_doubles_with_each_attempt():
    policy = RetryPolicy(base=2.0, ceiling=1000.0)
    assert 1.0 <= policy.delay(1) <= 2.0
    assert 2.0 <= policy.delay(2) <= 4.0


def test_delay_stays_below_the_ceiling():
    policy = RetryPolicy(base=2.0, ceiling=10.0)
    assert policy.delay(30) <= 10.0


def test_attempts_are_exhausted():
    assert RetryPolicy(attempts=3).is_exhausted(3)

"""Shows how a failed job is retried with exponential backoff and jitter."""

from jobs.retry import RetryPolicy

policy = RetryPolicy(base=1.0, ceiling=60.0)


def show_delays(attempts: int) -> None:
    """Prints the delay before each attempt of a failed job."""
    for attempt in range(1, attempts + 1):
        print(attempt, policy.delay(attempt))


show_delays(8)

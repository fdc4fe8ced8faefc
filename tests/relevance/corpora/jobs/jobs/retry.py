"""When a failed job is tried again."""

import random


class RetryPolicy:
    """Exponential backoff with a ceiling and jitter."""

    def __init__(self, base: float = 2.0, factor: float = 2.0, ceiling: float = 300.0, attempts: int = 5):
        self.base = base
        self.factor = factor
        self.ceiling = ceiling
        self.attempts = attempts

    def delay(self, attempt: int) -> float:
        """Returns the seconds to wait before the next attempt."""
        wait = min(self.ceiling, self.base * self.factor ** (attempt - 1))
        return wait * random.uniform(0.5, 1.0)

    def is_exhausted(self, attempts: int) -> bool:
        return attempts >= self.attempts

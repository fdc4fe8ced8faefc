"""Counters of the queue, in the text format that a scraper reads."""

from collections import Counter

COUNTS: Counter = Counter()


def count(event: str) -> None:
    COUNTS[event] += 1


def render() -> str:
    """Renders all counters, one a line."""
    return "".join(f"jobs_{name}_total {n}\n" for name, n in sorted(COUNTS.items()))

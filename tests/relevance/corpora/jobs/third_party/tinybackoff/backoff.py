"""A vendored copy of tinybackoff 1.2: exponential backoff for any function."""

import time


def retry(function, attempts=5, base=1.0):
    """Calls a function again after a failure, with exponential backoff between attempts."""
    for attempt in range(attempts):
        try:
            return function()
        except Exception:
            time.sleep(base * 2**attempt)
    raise RuntimeError("retry: out of attempts")

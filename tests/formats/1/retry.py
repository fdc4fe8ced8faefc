"""Uploads that are tried again. See doc/uploads.md."""

import time
from .errors import UploadError as Failed


class Uploader(Transport):
    """Sends files, and sends them again."""

    def __init__(self, host, tries=3):
        self.host = host
        self.tries = tries

    def send(self, path):
        # A broken connection is tried again, später noch einmal.
        for attempt in range(self.tries):
            try:
                return self.connection().put(path)
            except ConnectionError:
                time.sleep(2 ** attempt)
        raise Failed(path)


def report(results):
    """Prints what became of each file, and how many were lost."""
    lost = [path for path, result in results.items() if result is None]
    for path in sorted(lost):
        print("lost", path)
    return len(lost)

"""A thread that renews the lease while a handler runs."""

import threading
import time

from jobs.lease import Lease


class Heartbeat:
    def __init__(self, lease: Lease, every: float = 10.0):
        self.lease = lease
        self.every = every
        self.done = threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self.beat, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()

    def beat(self) -> None:
        while not self.done.wait(self.every):
            self.lease.renew(time.time())

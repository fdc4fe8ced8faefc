"""Workers: claim a job, run its handler, acknowledge or retry."""

import signal
import threading
import time
import traceback

from jobs.dead import DeadLetters
from jobs.errors import HandlerMissing
from jobs.handlers import HANDLERS
from jobs.heartbeat import Heartbeat
from jobs.queue import Queue
from jobs.retry import RetryPolicy


class Worker:
    """Runs jobs, one at a time, until it is told to stop."""

    def __init__(self, name: str, queue: Queue, retry: RetryPolicy, dead: DeadLetters):
        self.name = name
        self.queue = queue
        self.retry = retry
        self.dead = dead
        self.stopping = threading.Event()

    def install_signals(self) -> None:
        """Stops after the current job when the process is terminated."""
        signal.signal(signal.SIGTERM, lambda *_: self.stopping.set())

    def run_forever(self, poll: float = 1.0) -> None:
        while not self.stopping.is_set():
            if not self.run_one():
                time.sleep(poll)

    def run_one(self) -> bool:
        lease = self.queue.claim(self.name, time.time())
        if lease is None:
            return False
        with Heartbeat(lease):
            try:
                self.call_handler(lease.job)
            except Exception:
                self.handle_failure(lease, traceback.format_exc())
            else:
                self.queue.acknowledge(lease)
        return True

    def call_handler(self, job) -> None:
        handler = HANDLERS.get(job.handler)
        if handler is None:
            raise HandlerMissing(f"no handler registered for '{job.handler}'")
        handler(**job.arguments)

    def handle_failure(self, lease, reason: str) -> None:
        """Retries a failed job later, or buries it when its attempts are used up."""
        job = lease.job
        job.failed(reason)
        if self.retry.is_exhausted(job.attempts):
            self.dead.bury(job)
            self.queue.acknowledge(lease)
        else:
            self.queue.release(lease, self.retry.delay(job.attempts))

"""Leases: who works on which job, and until when."""

from jobs.model import Job

VISIBILITY_TIMEOUT = 30.0


class Lease:
    """The right to run a job until it expires."""

    def __init__(self, job: Job, worker: str, now: float):
        self.job = job
        self.worker = worker
        self.expires = now + VISIBILITY_TIMEOUT
        self.handle = None

    def renew(self, now: float) -> None:
        """Extends the lease, as the heartbeat of a worker does."""
        self.expires = now + VISIBILITY_TIMEOUT

    def is_expired(self, now: float) -> bool:
        return now >= self.expires

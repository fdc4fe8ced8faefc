"""The queue: jobs that wait, are claimed, and are acknowledged."""

import os
import time

from jobs.errors import QueueFull, UnknownJob
from jobs.lease import Lease
from jobs.model import Job
from jobs.store import JobStore


class Queue:
    """Jobs in the order in which they become due."""

    def __init__(self, store: JobStore, limit: int = 10_000):
        self.store = store
        self.limit = limit

    def enqueue(self, job: Job) -> str:
        """Adds a job to the queue and returns its id."""
        if self.store.count() >= self.limit:
            raise QueueFull(f"the queue holds {self.limit} jobs already")
        self.store.write(job)
        return job.id

    def claim(self, worker: str, now: float) -> Lease | None:
        """Takes the next due job for a worker; nobody else gets it while the lease lasts."""
        for job in self.store.due(now):
            lease = Lease(job, worker, now)
            if self.store.lock(lease):
                return lease
        return None

    def acknowledge(self, lease: Lease) -> None:
        """Removes a finished job."""
        self.store.remove(lease.job.id)
        self.store.unlock(lease)

    def release(self, lease: Lease, delay: float) -> None:
        """Gives a job back; it becomes due again after a delay."""
        lease.job.due = time.time() + delay
        self.store.write(lease.job)
        self.store.unlock(lease)

    def find(self, job_id: str) -> Job:
        job = self.store.read(job_id)
        if job is None:
            raise UnknownJob(job_id)
        return job

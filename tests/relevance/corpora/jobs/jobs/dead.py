"""Dead letters: jobs that failed too often."""

from jobs.model import Job, State
from jobs.store import JobStore


class DeadLetters:
    """The graveyard of jobs, for people to look at."""

    def __init__(self, store: JobStore):
        self.store = store

    def bury(self, job: Job) -> None:
        """Keeps a job that has failed for good, with the reason of its last failure."""
        job.state = State.DEAD
        self.store.write(job)

    def requeue(self, job: Job) -> None:
        """Brings a dead job back to life, with fresh attempts."""
        job.state = State.WAITING
        job.attempts = 0
        self.store.write(job)

"""Jobs as files in a directory."""

import fcntl
import json
import os
from pathlib import Path

from jobs.lease import Lease
from jobs.model import Job, State


class JobStore:
    """One file for each job. Files are replaced, never changed in place."""

    def __init__(self, directory: Path):
        self.directory = directory

    def write(self, job: Job) -> None:
        """Writes a job to a temporary file and renames it, so that no reader sees half of it."""
        temporary = self.directory / f".{job.id}.tmp"
        temporary.write_text(json.dumps(job.__dict__, default=str))
        os.replace(temporary, self.directory / f"{job.id}.json")

    def read(self, job_id: str) -> Job | None:
        path = self.directory / f"{job_id}.json"
        if not path.exists():
            return None
        return Job(**json.loads(path.read_text()))

    def due(self, now: float):
        for path in sorted(self.directory.glob("*.json")):
            job = self.read(path.stem)
            if job and job.state == State.WAITING and job.due <= now:
                yield job

    def count(self) -> int:
        return sum(1 for _ in self.directory.glob("*.json"))

    def lock(self, lease: Lease) -> bool:
        handle = open(self.directory / f"{lease.job.id}.lock", "w")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        lease.handle = handle
        return True

    def unlock(self, lease: Lease) -> None:
        lease.handle.close()

    def remove(self, job_id: str) -> None:
        (self.directory / f"{job_id}.json").unlink(missing_ok=True)

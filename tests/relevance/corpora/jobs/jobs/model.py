"""What a job is."""

import uuid
from dataclasses import dataclass, field
from enum import Enum


class State(Enum):
    WAITING = "waiting"
    RUNNING = "running"
    DEAD = "dead"


@dataclass
class Job:
    """A call that is to be made later: the name of a handler and its arguments."""

    handler: str
    arguments: dict
    due: float = 0.0
    attempts: int = 0
    state: State = State.WAITING
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def failed(self, reason: str) -> None:
        self.attempts += 1
        self.reason = reason

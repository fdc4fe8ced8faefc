"""A job queue on top of a directory."""

from jobs.queue import Queue
from jobs.worker import Worker

__all__ = ["Queue", "Worker"]

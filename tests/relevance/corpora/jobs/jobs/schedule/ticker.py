"""Enqueues recurring jobs when they are due."""

import datetime as dt
import time

from jobs.model import Job
from jobs.queue import Queue
from jobs.schedule.cron import CronExpression


class Ticker:
    """Wakes up every minute and enqueues what the crontab asks for."""

    def __init__(self, queue: Queue, crontab: dict[str, str]):
        self.queue = queue
        self.crontab = {handler: CronExpression(text) for handler, text in crontab.items()}

    def tick(self, now: dt.datetime) -> int:
        n_enqueued = 0
        for handler, expression in self.crontab.items():
            if expression.matches(now):
                self.queue.enqueue(Job(handler, {}))
                n_enqueued += 1
        return n_enqueued

    def run(self) -> None:
        while True:
            self.tick(dt.datetime.now())
            time.sleep(60)

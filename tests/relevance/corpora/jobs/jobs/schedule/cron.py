"""Cron expressions: when a recurring job is due next."""

import datetime as dt

from jobs.errors import CronSyntaxError

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 6))


def parse_field(text: str, name: str, low: int, high: int) -> set[int]:
    """Parses one field: a number, a range, a list or a step."""
    values: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        if span == "*":
            first, last = low, high
        elif "-" in span:
            first, last = (int(end) for end in span.split("-"))
        else:
            first = last = int(span)
        if first < low or last > high:
            raise CronSyntaxError(f"{name} must be between {low} and {high}, not '{part}'")
        values.update(range(first, last + 1, int(step or 1)))
    return values


class CronExpression:
    def __init__(self, text: str):
        parts = text.split()
        if len(parts) != 5:
            raise CronSyntaxError(f"a cron expression has five fields, not {len(parts)}")
        self.fields = [parse_field(part, *field) for part, field in zip(parts, FIELDS)]

    def next_after(self, moment: dt.datetime) -> dt.datetime:
        """Returns the first minute after a moment that matches all fields."""
        moment = moment.replace(second=0, microsecond=0) + dt.timedelta(minutes=1)
        while not self.matches(moment):
            moment += dt.timedelta(minutes=1)
        return moment

    def matches(self, moment: dt.datetime) -> bool:
        values = (moment.minute, moment.hour, moment.day, moment.month, moment.weekday())
        return all(value in field for value, field in zip(values, self.fields))

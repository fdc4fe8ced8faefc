"""Errors of the queue."""


class JobError(Exception):
    """The base of all errors here."""


class QueueFull(JobError):
    pass


class UnknownJob(JobError):
    pass


class HandlerMissing(JobError):
    pass


class CronSyntaxError(JobError):
    pass

"""Tests of workers: failure, retry, dead letters."""

from jobs.model import Job


def test_failed_job_is_released_with_a_delay(queue, worker):
    queue.enqueue(Job("broken", {}))
    worker.run_one()
    assert queue.find("broken").attempts == 1


def test_exhausted_job_is_buried(queue, worker, dead):
    for _ in range(5):
        worker.run_one()
    assert dead.count() == 1

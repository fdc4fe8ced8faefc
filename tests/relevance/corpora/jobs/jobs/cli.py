"""The command line: enqueue, dead, requeue, drain."""

import argparse
import json

from jobs.config import load_settings
from jobs.dead import DeadLetters
from jobs.model import Job
from jobs.queue import Queue
from jobs.store import JobStore


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jobs")
    commands = parser.add_subparsers(dest="command", required=True)
    enqueue = commands.add_parser("enqueue", help="add a job")
    enqueue.add_argument("handler")
    enqueue.add_argument("--arguments", type=json.loads, default={})
    commands.add_parser("dead", help="list the dead letters")
    requeue = commands.add_parser("requeue", help="bring a dead job back")
    requeue.add_argument("job_id")
    return parser


def main(argv=None) -> int:
    arguments = build_parser().parse_args(argv)
    settings = load_settings("queue.toml")
    store = JobStore(settings.directory)
    queue = Queue(store)
    if arguments.command == "enqueue":
        print(queue.enqueue(Job(arguments.handler, arguments.arguments)))
    elif arguments.command == "requeue":
        DeadLetters(store).requeue(queue.find(arguments.job_id))
    return 0

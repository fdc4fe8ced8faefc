#!/bin/sh
# Stops claiming and waits until the queue is empty, before a deploy.
set -eu
kill_workers() {
  pkill -TERM -f "jobs.worker"
}
kill_workers
while [ -n "$(ls var/queue/*.lock 2>/dev/null)" ]; do
  sleep 1
done

#!/bin/sh
# Starts as many workers as the settings ask for and waits for them.
set -eu
n=$(sed -n 's/^concurrency = //p' queue.toml)
start_worker() {
  python -m jobs.worker --name "worker-$1" &
}
i=0
while [ "$i" -lt "$n" ]; do
  start_worker "$i"
  i=$((i + 1))
done
trap 'kill $(jobs -p)' TERM
wait

#!/usr/bin/env bash
# Deploys the service.
#
# Usage: deploy.sh [-n] host

set -euo pipefail

source "$(dirname "$0")/lib/log.sh"
. ./env.sh

readonly VERSION="1.2.3"
declare -a HOSTS=(alpha beta)
export PATH="$HOME/bin:$PATH"
retries=3

# Prints how to call it.
usage() {
    cat <<HERE
usage: deploy.sh [-n] host
HERE
}

# Copies one release
# to a host.
function push_release {
    local host=$1 archive
    archive=$(make_archive "$VERSION") || return 1
    scp "$archive" "$host:/srv"
    if ! check_health "$host"; then
        log_error "no answer"
        rollback "$host"
    fi
}

function rollback() (
    ssh "$1" 'systemctl restart app'
)

main() {
    for host in "${HOSTS[@]}"; do
        push_release "$host" | tee -a log.txt
    done
}

alias ll='ls -l'
main "$@"

test_expect_success 'a release is made' '
	push_release "$host" &&
	test_path_is_file out
'

test_expect_failure SYMLINKS "links are kept" 'check_links'

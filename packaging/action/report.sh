#!/bin/sh
# Prints a comment for a pull request. It lists the declarations that changed between the commit
# where the branch began and its head. report.sh BASE HEAD
set -eu
# A comment has at most 65,536 characters; more lines than this are not read anyway.
max=100

base=$(git merge-base "$1" "$2")
list=$(mktemp)
trap 'rm -f "$list"' EXIT
status=0
git cora diff "$base" "$2" >"$list" || status=$?
# 1: no declaration differs.
if [ "$status" -gt 1 ]; then exit "$status"; fi

echo '<!-- git-cora -->'
if [ "$status" -eq 1 ]; then
	echo 'This pull request changes no declaration.'
	exit 0
fi
total=$(grep -c . "$list")
echo "This pull request changes these declarations, according to \`git cora diff\`:"
echo
echo '```'
# A fence in a name would end the block.
head -n "$max" "$list" | cut -c 1-400 | sed 's/```/` ` `/g'
echo '```'
if [ "$total" -gt "$max" ]; then
	echo
	echo "$((total - max)) more are not listed."
fi

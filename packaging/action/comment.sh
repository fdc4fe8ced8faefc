#!/bin/sh
# Writes a comment on a pull request, or replaces the previous one.
# comment.sh OWNER/NAME NUMBER FILE; the first line of FILE marks the comment as ours.
set -eu
place=repos/$1/issues/$2/comments
mark=$(head -n 1 "$3")
ours=".[] | select(.body | startswith(\"$mark\")) | .id"
id=$(gh api --paginate "$place" --jq "$ours" | head -n 1)
if [ -n "$id" ]; then
	gh api --silent --method PATCH "repos/$1/issues/comments/$id" --field "body=@$3"
else
	gh api --silent "$place" --field "body=@$3"
fi

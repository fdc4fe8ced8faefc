#!/usr/bin/env bash
# Measures how long it takes from a package to the first answer, as on a machine without Rust:
#   measure.sh PACKAGES REPOSITORY...
#
# PACKAGES is what 'cargo xtask dist' wrote. Each way to install gets an empty home directory and a
# PATH with the system's own programs. Each repository is cloned first, so that it has no index, and
# its question is asked twice: the first answer also indexes HEAD. Prints seconds, and the processor
# time of them, which depends less on what else the machine does.
set -eu
packages=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
path=${MEASURE_PATH:-/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin}
question='where is the configuration read'

# Runs a command in an empty environment, and prints how long it took.
timed() {
	local TIMEFORMAT='%R %U %S'
	{
		time env -i HOME="$work/home" PATH="$path" LC_ALL=C.UTF-8 "$@" >"$work/out" 2>&1
	} 2>"$work/time" || {
		cat "$work/out" >&2
		exit 2
	}
	awk '{ printf "%.2f (%.2f)", $1, $2 + $3 }' "$work/time"
}

if env -i PATH="$path" sh -c 'command -v cargo || command -v rustc'; then
	echo "error: Rust is on the PATH '$path'" >&2
	exit 2
fi
mkdir "$work/home"
tar=$(ls "$packages"/git-cora-*-x86_64-unknown-linux-*.tar.gz)
deb=$(ls "$packages"/git-cora_*_amd64.deb 2>/dev/null || :)
npm_platform=$(ls "$packages"/git-cora-linux-x64-*.tgz)
npm_main=$(ls "$packages"/git-cora-[0-9]*.tgz)

mkdir -p "$work/tar" "$work/deb/var/lib/dpkg"
touch "$work/deb/var/lib/dpkg/status"
echo "install, tar: $(timed tar -xzf "$tar" --strip-components 1 -C "$work/tar")"
echo "install, npm: $(timed npm install --offline --no-audit --no-fund --global \
	--prefix "$work/npm" "$npm_platform" "$npm_main")"
echo "create a virtual environment: $(timed python3 -m venv "$work/pip")"
echo "install, pip: $(timed "$work/pip/bin/pip" install --disable-pip-version-check --no-index \
	--find-links "$packages" git-cora)"
[ -z "$deb" ] || echo "install, deb: $(timed dpkg --root="$work/deb" --force-depends \
	--force-not-root --force-script-chrootless --log=/dev/null -i "$deb")"

for repository; do
	name=$(basename "$(dirname "$repository")")
	for way in tar/bin npm/bin pip/bin deb/usr/bin; do
		[ -x "$work/$way/git-cora" ] || continue
		rm -rf "$work/clone"
		git clone --quiet --depth 1 "file://$repository" "$work/clone"
		n=$(git -C "$work/clone" ls-files | wc -l)
		first=$(timed "$work/$way/git-cora" -C "$work/clone" query -k 3 "$question")
		second=$(timed "$work/$way/git-cora" -C "$work/clone" query -k 3 "$question")
		echo "$name, $n files, ${way%%/*}: first answer $first, second $second"
	done
done

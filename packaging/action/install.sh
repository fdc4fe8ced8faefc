#!/bin/sh
# Installs a release of git cora: install.sh VERSION DIR
#
# Downloads the archive for this machine, compares its checksum with the one of the release, and
# unpacks it into DIR. If the releases are not on GitHub, set CORA_RELEASES to their address.
set -eu
version=$1
dir=$2
releases=${CORA_RELEASES:-https://github.com/git-cora/git-cora/releases/download}

case $(uname -s)-$(uname -m) in
Linux-x86_64) name=x86_64-unknown-linux-musl.tar.gz ;;
Linux-aarch64 | Linux-arm64) name=aarch64-unknown-linux-musl.tar.gz ;;
Darwin-x86_64) name=x86_64-apple-darwin.tar.gz ;;
Darwin-arm64) name=aarch64-apple-darwin.tar.gz ;;
MINGW*-x86_64 | MSYS*-x86_64) name=x86_64-pc-windows-msvc.zip ;;
*)
	echo "error: there is no release of git cora for $(uname -s) on $(uname -m)" >&2
	exit 2
	;;
esac
archive=git-cora-$version-$name

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$archive" SHA256SUMS; do
	if ! curl --fail --silent --show-error --location --retry 3 \
		--output "$work/$file" "$releases/v$version/$file"; then
		echo "error: can't download '$releases/v$version/$file'" >&2
		exit 2
	fi
done
if ! grep -F "  $archive" "$work/SHA256SUMS" >"$work/expected"; then
	echo "error: '$archive' is not among the checksums of the release" >&2
	exit 2
fi
if command -v sha256sum >/dev/null 2>&1; then check=sha256sum; else check='shasum -a 256'; fi
if ! (cd "$work" && $check -c expected >/dev/null 2>&1); then
	echo "error: the checksum of '$archive' is not the one that the release lists" >&2
	exit 2
fi
mkdir -p "$dir"
case $archive in
*.zip) unzip -q "$work/$archive" -d "$work" && cp -R "$work/${archive%.zip}/." "$dir" ;;
*) tar -xzf "$work/$archive" -C "$dir" --strip-components 1 ;;
esac
"$dir/bin/git-cora" --version

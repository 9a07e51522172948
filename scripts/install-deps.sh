#!/bin/sh
# Install what is missing of packages.list: install-deps.sh [build|test|check|real]...
# Without a word, everything but real. Needs root or sudo only if something is missing.
set -eu
cd "$(dirname "$0")/.."

kinds=${*:-build test check}
for kind in $kinds; do
	case $kind in
	build | test | check | real) ;;
	*) echo "install-deps.sh: '$kind' is none of build, test, check, real" >&2; exit 2 ;;
	esac
done

wanted=
for kind in $kinds; do
	wanted="$wanted $(sed -n "s/^$kind  *\([^ ]*\).*/\1/p" scripts/packages.list | tr '\n' ' ')"
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "install-deps.sh: this is no Debian; install the likes of:$wanted" >&2
	exit 1
fi

missing=
for package in $wanted; do
	status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || {
		echo "install-deps.sh: run as root: apt-get install$missing" >&2
		exit 1
	}
	as_root=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 \
		-o DPkg::Lock::Timeout=300 "$@" </dev/null >"$log" 2>&1 || {
		cat "$log" >&2
		echo "install-deps.sh: apt-get $1 failed" >&2
		exit 1
	}
}

echo "installing:$missing"
apt update
# shellcheck disable=SC2086 # a list of words
apt install --no-install-recommends $missing

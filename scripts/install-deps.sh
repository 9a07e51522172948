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

# packages_of KIND, for LLVM $llvm; alternatives with | between them
packages_of() {
	sed -n "s/^$1  *\([^ ]*\).*/\1/p" scripts/packages.list | sed "s/-N\b/-$llvm/g"
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	llvm=19
	# shellcheck disable=SC2046 # a list of words
	echo "install-deps.sh: this is neither Debian nor Ubuntu; install the likes of:" \
		$(for kind in $kinds; do packages_of "$kind"; done) >&2
	exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo

apt() {
	if [ "$as_root" ] && ! command -v sudo >/dev/null; then
		echo "install-deps.sh: run as root: apt-get $*" >&2
		exit 1
	fi
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 \
		-o DPkg::Lock::Timeout=300 "$@" </dev/null >"$log" 2>&1 || {
		cat "$log" >&2
		echo "install-deps.sh: apt-get $1 failed" >&2
		exit 1
	}
}

is_installed() {
	[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

is_known() {
	apt-cache policy "$1" | grep -q 'Candidate: [^(]'
}

# look_at KIND PACKAGE...: the first that is installed or can be.
look_at() {
	kind=$1
	shift
	for package in "$@"; do
		! is_installed "$package" || return 0
	done
	for package in "$@"; do
		if [ "$kind" = build ] || is_known "$package"; then
			missing="$missing $package"
			return
		fi
	done
	lacking="$lacking $1"
}

# What is to be installed, in $missing, and what this release does not have, in $lacking.
look() {
	llvm=$(scripts/llvm_version.sh 2>/dev/null) || llvm=19
	missing='' lacking=''
	for kind in $kinds; do
		for packages in $(packages_of "$kind"); do
			# shellcheck disable=SC2046 # a list of words
			look_at "$kind" $(echo "$packages" | tr '|' ' ')
		done
	done
}

look
# A new system has no lists of packages yet.
if [ "$missing$lacking" ] && ! is_known gcc; then
	apt update
	look
fi
if [ "$missing" ]; then
	apt update
	scripts/llvm_version.sh >/dev/null
	look
	echo "installing:$missing"
	# shellcheck disable=SC2086 # a list of words
	apt install --no-install-recommends $missing
fi
[ -z "$lacking" ] || echo "this release has no$lacking: tests that need them are skipped"

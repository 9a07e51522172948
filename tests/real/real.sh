#!/bin/sh
# What the tests of programs from Debian's packages share; read by them with `.`, which then say:
#
#   needs PROGRAM PACKAGE     end with 77, skipped, where the program is missing
#   same NAME COMMAND...      run by itself and recorded into NAME: the exit status and output are the
#                             same but for what told() takes away; NAME.json is what `info` says
#   all_traced NAME           every launch was recorded, and there was one
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device installed-pocl
unset WARPLINE_OPT # programs are recorded as users record them
mkdir cache
export WARPLINE_CACHE="$work/cache"

needs() {
	command -v "$1" >/dev/null && return
	echo "skipped: $1 is not installed (package $2; scripts/install-deps.sh real)"
	rm -rf "$work"
	exit 77
}

# needs_python MODULE PACKAGE: $python has it.
needs_python() {
	for python in /usr/bin/python3 python3; do
		"$python" -c "import $1" 2>/dev/null && return
	done
	echo "skipped: no python3 has the module $1 (package $2; scripts/install-deps.sh real)"
	rm -rf "$work"
	exit 77
}

# What of the output must be the same: a filter.
told() {
	cat
}

# Whole numbers and fractions go, what is around them stays.
without_numbers() {
	sed 's/[0-9][0-9.]*\(e[-+][0-9]*\)\{0,1\}/#/g; s/  */ /g'
}

# at_home DIR COMMAND...: with a home of its own, where programs keep what they compiled.
at_home() {
	home=$work/$1
	shift
	mkdir -p "$home"
	HOME=$home XDG_CACHE_HOME=$home/.cache XDG_DATA_HOME=$home/.local/share "$@"
}

same() {
	name=$1
	shift
	native=0
	at_home "$name.home" timeout -k 5 500 "$@" >"$name.native" 2>"$name.native.err" || native=$?
	status=0
	at_home "$name.recorded.home" timeout -k 5 500 "$warpline" record -o "$name" -- "$@" \
		>"$name.out" 2>"$name.err" || status=$?
	tail -n 12 "$name.err"
	expect "$name: the exit status" "$status" "$native"
	told <"$name.native" >"$name.want"
	told <"$name.out" >"$name.got"
	[ -s "$name.want" ] || fail "$name: there is nothing to compare"
	diff "$name.want" "$name.got" >"$name.diff" ||
		fail "$name: another output: $(head -4 "$name.diff")"
	info_of "$name"
}

all_traced() {
	seen=$(json "$1.json" launches_seen)
	[ "$seen" -gt 0 ] || fail "$1: no launch was seen"
	expect "$1: launches recorded" "$(json "$1.json" launches_traced)" "$seen"
}

#!/bin/sh
# behaviours.sh NAME DEVICE: program NAME does the same by itself and recorded in each mode, and the
# recording holds what its row in behaviours.table says.
. "$SOURCE_DIR/tests/e2e/lib.sh"
. "$SOURCE_DIR/tests/behaviours/crashes.sh"
name=$1
use_device "$2"

seen='' traced='' accesses='' complete='' recordings=1 modes=record,layer,preload,dlopen want_status=0 group=''
: >reasons.want
: >says.want
read_row() {
	for field in "$@"; do
		value=${field#*=}
		case $field in
		seen=*) seen=$value ;;
		traced=*) traced=$value ;;
		accesses=*) accesses=$value ;;
		group=*) group=$value ;;
		complete=*) complete=$value ;;
		recordings=*) recordings=$value ;;
		modes=*) modes=$value ;;
		status=*) want_status=$value ;;
		reason=*) echo "$value" >>reasons.want ;;
		says=*) echo "$value" >>says.want ;;
		env=*) export "${value?}" ;;
		device=*) ;;
		*) fail "behaviours.table: $name: what is '$field'?" ;;
		esac
	done
}
row=$(awk -v name="$name" -v device="$2" '
	$1 == name && ($0 !~ / device=/ || $0 ~ " device=" device "( |$)") { $1 = ""; print; exit }
	' "$SOURCE_DIR/tests/behaviours/behaviours.table")
[ -n "$row" ] || { echo "$name is not for $2"; exit 77; }
# shellcheck disable=SC2086 # a list of fields
read_row $row
traced=${traced:-$seen}
[ -n "$complete" ] || { complete=yes; [ "$traced" = "$seen" ] || complete=no; }

mkdir cache
export WARPLINE_CACHE="$work/cache"
# A program with sanitizers takes several times as long: one way in is enough.
case ,$modes, in
*,record,*) [ -z "${SANITIZE:-}" ] || modes=record ;;
esac

# with_library VARIABLE PROGRAM: without our command, by one way in alone. crashes.sh has run().
with_library() {
	run "$mode" env "$1=$BUILD_DIR/libwarpline.so" "WARPLINE_DIR=$work/$mode" \
		"WARPLINE_INSTRUMENT=$BUILD_DIR/warpline-instrument" "$2"
}

# with_record PROGRAM
with_record() {
	run "$mode" "$warpline" record -o "$mode" -- "$1"
	while read -r want; do
		grep -q -e "$want" "$mode.err" || fail "$mode: nobody says '$want'"
	done <says.want
}

run_mode() { # PROGRAM
	case $mode in
	record) with_record "$1" ;;
	dlopen) with_record "$(dirname "$1")/dlopen/$name" ;;
	layer) with_library OPENCL_LAYERS "$1" ;;
	preload) with_library LD_PRELOAD "$1" ;;
	*) fail "behaviours.table: $name: there is no mode '$mode'" ;;
	esac
}

# total FIELD: over the recordings of this mode.
total() {
	for json in "$mode"*.json; do
		json "$json" "$1"
	done | awk '{ n += $1 } END { printf "%.0f\n", n }'
}

# Work-items of the largest group.
largest_group() {
	for json in "$mode"*.json; do
		json "$json" 'launches.*.local.*'
	done | awk 'NR % 3 == 1 { items = 1 } { items *= $1 } items > most { most = items } END { print most }'
}

# all_say true|false: whether each recording says so of being complete.
all_say() {
	for json in "$mode"*.json; do
		[ "$(json "$json" complete)" = "$1" ] || return 1
	done
}

check_recordings() {
	found=0
	for dir in "$mode" "$mode".[0-9]*; do
		[ -d "$dir" ] || continue
		found=$((found + 1))
		info_of "$dir"
	done
	expect "$mode: recordings" "$found" "$recordings"
	[ "$found" -gt 0 ] || return 0
	expect "$mode: launches seen" "$(total launches_seen)" "$seen"
	expect "$mode: launches traced" "$(total launches_traced)" "$traced"
	[ "$accesses" = - ] || expect "$mode: accesses" "$(total accesses)" "$accesses"
	[ -z "$group" ] || expect "$mode: the largest group" "$(largest_group)" "$group"
	case $complete in
	yes) all_say true || fail "$mode: something is missing" ;;
	no) ! all_say true || fail "$mode: nothing is missing" ;;
	esac
	while read -r want; do
		grep -h -E '"(reason|what|missing|fate)": ' "$mode"*.json | grep -q -e "$want" ||
			fail "$mode: no reason is '$want'"
	done <reasons.want
}

program=$BUILD_DIR/behaviours/$name
run native "$program"
[ "$status" != 77 ] || { cat native.err; rm -rf "$work"; exit 77; }
expect "the status without us ($(cat native.err))" "$status" "$want_status"
for mode in $(echo "$modes" | tr ',' ' '); do
	run_mode "$program"
	expect "$mode: the exit status" "$status" "$want_status"
	diff native.out "$mode.out" >"$mode.diff" ||
		fail "$mode: another output: $(head -4 "$mode.diff")"
	check_recordings
done
passed

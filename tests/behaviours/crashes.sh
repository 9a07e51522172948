# Read by behaviours.sh with `.`: how a program is run whose driver may end it by a signal, by itself
# and now and then: POCL's compiler and its end race with other threads. That is not our failure, but
# with us it must not happen more often than without.
# shellcheck shell=sh

rounds=15 # programs take a second or two, and few ever come here

# one_run PREFIX COMMAND...: output in PREFIX.out and PREFIX.err, the exit status in $status.
one_run() {
	prefix=$1
	shift
	rm -rf "$prefix" "$prefix".[0-9]*
	status=0
	timeout -k 5 500 "$@" >"$prefix.out" 2>"$prefix.err" || status=$?
}

is_crash() {
	[ "$status" -gt 128 ] && [ "$status" -ne "$want_status" ]
}

# is_more WITH WITHOUT: of two counts of rare events over as many runs, whether the first is larger by
# more than chance: by 1.7 standard deviations of their difference, that of WITH + WITHOUT events.
is_more() {
	[ "$1" -gt "$2" ] && [ $((($1 - $2) * ($1 - $2))) -ge $((3 * ($1 + $2))) ]
}

# compare_crashes PREFIX COMMAND... PROGRAM: COMMAND... PROGRAM was ended by a signal. Both are run in
# turn, and fail() is called where PROGRAM alone is not ended as often.
compare_crashes() {
	with=0 without=0
	compared=$1
	eval "alone=\${$#}"
	for round in $(seq $rounds); do
		one_run alone "$alone"
		! is_crash || without=$((without + 1))
		one_run "$@"
		! is_crash || with=$((with + 1))
		! is_more $with $without ||
			fail "$compared: of $round runs $with end by a signal, without us $without: $(tail -3 "$compared.err")"
	done
	echo "$compared: ended by a signal, and of $rounds further runs $with, without us $without"
}

# run PREFIX COMMAND... PROGRAM: as one_run(), but not of a run that the driver has ended.
run() {
	one_run "$@"
	is_crash || return 0
	[ $# -eq 2 ] || compare_crashes "$@"
	for round in $(seq $rounds); do
		one_run "$@"
		is_crash || return 0
	done
	fail "$1: each of $rounds runs ends by a signal: $(tail -3 "$1.err")"
}

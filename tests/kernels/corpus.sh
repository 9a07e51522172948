#!/bin/sh
# corpus.sh DEVICE NAME: the kernels of NAME.cl, natively and in every way that they are recorded.
#
# Each mode must give the native run's output bit for bit and print what it prints, record each kernel
# whole, with the local memory that the driver reports for it natively, and record the same as every
# other mode. The streams that expect_NAME.c computes must be those recorded. What deviates must be in
# exceptions.table, and what is there must deviate.
#
# corpus.sh devices NAME: afterwards, whether both devices gave the same recordings and results.
. "$SOURCE_DIR/tests/e2e/lib.sh"

# What is instrumented here is of no use to the user's cache.
export WARPLINE_CACHE=off
# Streams are compared whole; local memory is in spaces_alike.sh.
export WARPLINE_SPACES=global

here=$SOURCE_DIR/tests/kernels
device=$1 name=$2
kept=$BUILD_DIR/corpus/$name

# Name of a mode: options of `warpline record`. All of them record what the first does, the accesses of
# the source; but gpu, which records those that a GPU's compiler leaves. In raw the launches are cut into
# slices. POCL compiles each mode anew, which takes most of the time of all tests.
modes='affine none raw gpu'
[ "$1" != pocl ] || modes='affine raw gpu'
first=${modes%% *}
options_of() {
	case $1 in
	affine) echo --records affine ;;
	none) echo --records none ;;
	raw) echo --records raw --device-buffer 4k ;;
	gpu) echo --opt gpu --records affine ;;
	esac
}

# deviates KERNEL MODE WHAT [why]
deviates() {
	echo "$1 $device $2 $3" >>deviations
	echo "$*" >>details
}

# run MODE COMMAND...: run the program under COMMAND... A kernel that ends the program is left out
# of the next try, in this mode.
run() {
	mode=$1
	shift
	left_out=
	for try in 1 2 3 4 5 6; do
		status=0
		# shellcheck disable=SC2086 # lists of words
		timeout -k 5 400 "$@" "$BUILD_DIR/tests/run_kernels" -o "$mode.bin" -l "$mode.local" $left_out \
			"$here/$name.cl" >"$mode.out" 2>"$mode.err" || status=$?
		grep -aE "$result" "$mode.out" >"$mode.results" || true
		grep -avE "$result" "$mode.out" | sort >"$mode.printed" || true
		[ $status -ne 0 ] || return 0
		last=$(tail -n 1 "$mode.results" | cut -d' ' -f1)
		# The run after the last one that was shown, of those not left out.
		culprit=$(awk -v last="${last:--1}" -v out="$left_out " '
			$1 == "//" && $2 == "run:" && n++ > last && !index(out, "-x " $3 " ") {
				print $3
				exit
			}' "$here/$name.cl")
		[ -n "$culprit" ] || break
		deviates "$culprit" "$mode" crash "$status: $(tail -n 2 "$mode.err" | tr '\n' ' ')"
		left_out="$left_out -x $culprit"
		rm -rf "$mode"
	done
	fail "$mode: the program ends with $status: $(tail -n 3 "$mode.err")"
}
result='^[0-9]+ [A-Za-z_0-9]+ [0-9]+ [0-9a-f]{16}$'

# same_output MODE
same_output() {
	mode=$1
	diff native.results "$mode.results" | sed -n 's/^[<>] [0-9]* \([^ ]*\) .*/\1/p' | sort -u |
		while read -r kernel; do
			deviates "$kernel" "$mode" output
		done
	cmp -s native.printed "$mode.printed" || deviates printf "$mode" output
	! cmp -s native.results "$mode.results" || cmp -s native.bin "$mode.bin" ||
		deviates - "$mode" output
}

# POCL 6 reports 0 bytes for variables in local memory; such a driver cannot judge ours.
driver_is_silent() {
	cat >own.cl <<-END
	// run: own 4 4 : int[4]=zero
	kernel void own(global int *v)
	{
		local int a[64];
		a[get_local_id(0)] = v[get_global_id(0)];
		barrier(CLK_LOCAL_MEM_FENCE);
		v[get_global_id(0)] = a[3 - get_local_id(0)];
	}
	END
	"$BUILD_DIR/tests/run_kernels" -l own.local own.cl >own.out 2>&1 || fail "own.cl: $(tail -n 1 own.out)"
	grep -qx 'own 0' own.local
}

# recorded MODE: every kernel, whole.
recorded() {
	mode=$1 want=traced
	[ "$mode" = none ] && want=unselected
	"$BUILD_DIR/tests/recording_compare" "$mode" >"$mode.launches" ||
		fail "$mode: the recording cannot be read"
	while read -r kernel door fate local why; do
		case $door in
		unrecorded)
			[ "$mode" = none ] ||
				deviates "$kernel" "$mode" "unrecorded:$(echo "$fate $local $why" | sed 's/ *$//' | tr ' ' _)"
			;;
		-) deviates "$kernel" "$mode" unmodified "$why" ;;
		*)
			[ "$fate" = $want ] || deviates "$kernel" "$mode" "$fate" "$why"
			;;
		esac
		[ "$door" = unrecorded ] || grep -qx "$kernel $local" native.local ||
			{ grep -qx "$kernel 0" native.local && driver_is_silent; } ||
			deviates "$kernel" "$mode" local "$local bytes"
	done <"$mode.launches"
}

# same_trace A B MODE: recordings A and B; the difference is counted as MODE's.
same_trace() {
	status=0
	"$BUILD_DIR/tests/recording_compare" "$1" "$2" >differences || status=$?
	[ $status -le 1 ] || fail "$1 and $2 cannot be compared"
	while read -r kernel _ why; do
		deviates "$kernel" "$3" trace "$why"
	done <differences
}

# As expect_NAME.c computes it.
as_expected() {
	[ -x "$BUILD_DIR/tests/expect_$name" ] || return 0
	status=0
	"$BUILD_DIR/tests/expect_$name" "$1" "$here/$name.cl" >unexpected || status=$?
	[ $status -le 1 ] || fail "$1 cannot be compared with what is expected"
	while read -r kernel why; do
		deviates "$kernel" "$1" unexpected "$why"
	done <unexpected
}

# Deviations against the rows of the table for this file and device. A kernel that ends the program
# has no other deviation in that mode.
as_excepted() {
	sort -u deviations | awk '
		{ line[NR] = $0; key[NR] = $1 " " $2 " " $3; if ($4 == "crash") crashed[key[NR]] = 1 }
		END { for (i = 1; i <= NR; i++)
			if (line[i] ~ / crash$/ || !(key[i] in crashed)) print line[i] }' >seen
	awk -v device="$device" -v name="$name" '
		function fits(pattern, word) { return pattern == "*" || pattern == word }
		FNR == NR {
			sub(/#.*/, "")
			if (NF == 5 && $1 == name && fits($3, device) && !($3 == "*" && device == "devices"))
				row[++rows] = $2 " " $3 " " $4 " " $5
			next
		}
		{
			found = 0
			for (i = 1; i <= rows; i++) {
				split(row[i], r, " ")
				if (fits(r[1], $1) && fits(r[3], $3) && r[4] == $4)
					found = used[i] = 1
			}
			if (!found) { print "deviates: " $0; bad = 1 }
		}
		END {
			for (i = 1; i <= rows; i++)
				if (!used[i]) { print "no longer deviates: " row[i]; bad = 1 }
			exit bad
		}' "$here/exceptions.table" seen >verdict && return 0
	cat verdict details
	fail "$(wc -l <verdict) deviations from what is expected of $name on $device"
}

: >deviations
: >details
if [ "$device" = devices ]; then
	[ -d "$kept/oclgrind" ] || { echo "there is no other device"; exit 77; }
	same_trace "$kept/pocl/recording" "$kept/oclgrind/recording" devices
	# Where numbers are rounded, devices may differ: the file says where.
	diff "$kept/pocl/native.results" "$kept/oclgrind/native.results" |
		sed -n 's/^[<>] [0-9]* \([^ ]*\) .*/\1/p' | sort -u | while read -r kernel; do
			grep -q "^// inexact:.* $kernel\\( .*\\)*\$" "$here/$name.cl" ||
				deviates "$kernel" devices output
		done
	as_excepted
	passed
fi

rm -rf "${kept:?}/$device"
use_device "$device"
run native
for mode in $modes; do
	# shellcheck disable=SC2046 # lists of words
	run "$mode" "$warpline" record $(options_of "$mode") -o "$mode" --
	same_output "$mode"
	recorded "$mode"
	case $mode in
	"$first") as_expected "$mode" ;;
	none | gpu) ;;
	*) same_trace "$first" "$mode" "$mode" ;;
	esac
done
as_excepted
mkdir -p "$kept/$device"
mv "$first" "$kept/$device/recording"
mv native.results "$kept/$device/"
passed

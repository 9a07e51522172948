#!/bin/sh
# validated.sh PART: what scripts/validate.sh finds is as near to the published measurements as
# docs/validation.md says. The tolerance is that of the claim, 2 points; none is taken from output.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

part=$1
ONLY='nearest\|sourced\|320 sets of 3, LRU\|588 sets of 2, LRU\|852 sets of 2, LRU\|4 sets of 64, LRU' "$SOURCE_DIR/scripts/validate.sh" -o "$work/out" "$part" >table || fail "validate.sh ends with $?"
cat table

# within WHAT FILE AWK: AWK prints a figure; it must be there and at most 2.
within() {
	figure=$(awk -F ';' "$3" "$2") || fail "$1 cannot be found in $2"
	echo "$1: $figure"
	awk -v f="$figure" 'BEGIN { exit !(f != "" && f + 0 <= 2) }' || fail "$1 is $figure"
}

distance='function distance(a, b) { return a > b ? a - b : b - a }'
case $part in
gtx480)
	within "the largest error of any kernel and size" out/gtx480.csv "$distance"'
		$1 == "nearest" { n++; d = distance($4, $5); most = d > most ? d : most }
		END { print n == 10 ? most + 0 : "" }'
	within "the mean error of what has sources, on SMs like the profiled one" out/gtx480.csv "$distance"'
		$1 == "sourced" && $2 != "transpose" { n++; sum += distance($4, $6) }
		END { print n == 8 ? sum / n : "" }'
	# Twice as many misses past 60 groups: 6 points more on average.
	within "the error of the jump past 60 groups" out/gtx480.csv "$distance"'
		$1 == "nearest" && $2 == "matmul" { sum[$3 > 60] += $5; n[$3 > 60]++ }
		END { print n[0] == 4 && n[1] == 3 ? distance(sum[1] / 3 - sum[0] / 4, 6) : "" }'
	within "the error of transposition, in hundredths" out/gtx480.csv "$distance"'
		$2 == "transpose" { d = 100 * distance(100, $5); most = d > most ? d : most; n++ }
		END { print n ? most + 0 : "" }'
	;;
latency)
	for cache in "v100;320 sets of 3, LRU" "a100;588 sets of 2, LRU" "h100;852 sets of 2, LRU" \
		"mi210;4 sets of 64, LRU"; do
		grep "^$cache;" out/latency.csv >rows.csv || fail "no rows of $cache"
		expect "footprints of $cache" "$(wc -l <rows.csv)" \
			"$(awk -F, -v gpu="${cache%%;*}" '$1 == gpu && $2 <= 400 { n++ } END { print n }' \
				"$SOURCE_DIR/bench/published/latency.csv")"
		within "the mean error of $cache" rows.csv "$distance"'
			{ sum += distance($7, $8) } END { print sum / NR }'
	done
	;;
plateaus)
	# Of the GPUs that were measured themselves, or their chip: 2 percent.
	within "the largest error of what L1, L2 and DRAM take" out/plateaus.csv '
		/^(v100|a100|h100|mi210|titanx);/ { n++; d = $6 < 0 ? -$6 : $6; most = d > most ? d : most }
		END { print n == 15 ? most + 0 : "" }'
	;;
esac
passed

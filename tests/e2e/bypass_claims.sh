#!/bin/sh
# bypass_claims.sh: what Huangfu (2017, chapter 3, figures 6 to 8) reports of address lists, in
# direction, on programs of our own with the character of those measured there.
. "$SOURCE_DIR/tests/e2e/lib.sh"
. "$SOURCE_DIR/tests/e2e/bypass_lib.sh"
use_device pocl

# measure APP ARGUMENT...: a line of claims: APP, then bytes from L2, misses, reads of L1 and cycles
# with everything cached, with nothing, and with the list of each SM and that of all.
measure() {
	app=$1
	shift
	record "$app" "$apps/$app" "$@"
	expect "the exit status of $app" "$status" 0
	offline bypass "$app" --gpu gtx480 --l1 16k --by address --jobs 1 --csv "$app.csv" >"$app.text" ||
		fail "bypass $app"
	printf '%s' "$app"
	for list in cache-all bypass-all address address-merged; do
		for field in bytes_from_l2 misses reads cycles; do
			printf ' %s' "$(list_sum "$app.csv" $list $field)"
		done
	done
	echo
}

{
	measure gaussian
	measure lud --size 128
	measure srad --size 128
	measure streamcluster --size 4096
	measure bfs --input both-ways --group 512 --size 16384
} >claims
cat claims

awk '
function bytes(list) { return $(2 + 4 * list) }
function rate(list) { return $(3 + 4 * list) / $(4 + 4 * list) }
function cycles(list) { return $(5 + 4 * list) }
function claim(holds, text) { print (holds ? "holds: " : "FAILS: ") text; if (!holds) failed = 1 }
BEGIN { ALL_CACHED = 0; NONE_CACHED = 1; EACH_SM = 2; MERGED = 3 }
{
	n++
	for (list = ALL_CACHED; list <= MERGED; list++) {
		sum_bytes[list] += bytes(list) / bytes(ALL_CACHED)
		if ($(4 + 4 * list)) {
			sum_rate[list] += rate(list) / rate(ALL_CACHED)
			rates[list]++
		}
		sum_cycles[list] += cycles(list) / cycles(ALL_CACHED)
	}
	if ($1 == "lud")
		claim(bytes(EACH_SM) < 0.7 * bytes(ALL_CACHED) && rate(EACH_SM) < 0.7 * rate(ALL_CACHED),
			"lud gains much in traffic and misses")
	claim(bytes(MERGED) < bytes(ALL_CACHED), $1 ": less traffic with the list of all SMs than with everything cached")
	if ($1 != "streamcluster")
		claim(bytes(EACH_SM) < bytes(ALL_CACHED),
			$1 ": less traffic with a list of each SM than with everything cached")
}
END {
	claim(sum_bytes[EACH_SM] < 0.9 * n, "traffic falls in the mean with a list of each SM")
	claim(sum_bytes[MERGED] < sum_bytes[NONE_CACHED], "and with that of all SMs below what it is with nothing cached")
	claim(sum_rate[EACH_SM] < rates[EACH_SM] && sum_rate[MERGED] < rates[MERGED],
		"the miss rate falls in the mean of those that still read through L1")
	claim(rates[EACH_SM] >= 4 && rates[MERGED] >= 3, "which most do")
	claim(sum_cycles[EACH_SM] < n && sum_cycles[MERGED] < n, "cycles fall in the mean")
	claim(n == 5, "of five programs")
	exit failed
}' claims || fail "a claim does not hold"
passed

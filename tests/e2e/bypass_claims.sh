#!/bin/sh
# bypass_claims.sh: what Huangfu (2017, chapter 3, figures 7 and 8) reports of address lists, in
# direction, on programs of our own with the character of those measured there.
. "$SOURCE_DIR/tests/e2e/lib.sh"
. "$SOURCE_DIR/tests/e2e/bypass_lib.sh"
use_device pocl

# measure APP ARGUMENT...: a line of claims: APP, then bytes from L2, misses and reads of L1 with
# everything cached, with nothing, and with the list of each SM and that of all.
measure() {
	app=$1
	record "$app" "$apps/$@"
	expect "the exit status of $app" "$status" 0
	offline bypass "$app" --gpu gtx480 --l1 16k --by address --jobs 1 --csv "$app.csv" >"$app.text" ||
		fail "bypass $app"
	printf '%s' "$app"
	for list in cache-all bypass-all address address-merged; do
		for field in bytes_from_l2 misses reads; do
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
function rate(misses, reads) { return reads ? misses / reads : 0 }
function claim(holds, text) { print (holds ? "holds: " : "FAILS: ") text; if (!holds) failed = 1 }
{
	n++
	for (list = 0; list < 4; list++) {
		bytes[list] += $(2 + 3 * list) / $2
		misses[list] += rate($(3 + 3 * list), $(4 + 3 * list)) / rate($3, $4)
	}
	if ($1 == "lud") claim($8 < 0.7 * $2 && rate($9, $10) < 0.7 * rate($3, $4), "lud gains much in traffic and misses")
	claim($11 < $2, $1 ": less traffic with the list of all SMs than with everything cached")
	if ($1 != "streamcluster")
		claim($8 < $2, $1 ": less traffic with a list of each SM than with everything cached")
}
END {
	claim(bytes[2] < 0.9 * n, "traffic falls in the mean with a list of each SM")
	claim(bytes[3] < bytes[1], "and with that of all SMs below what it is with nothing cached")
	claim(misses[3] < misses[0], "the miss rate falls in the mean")
	claim(n == 5, "of five programs")
	exit failed
}' claims || fail "a claim does not hold"
passed

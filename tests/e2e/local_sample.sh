#!/bin/sh
# local_sample.sh DEVICE: local memory of a sample of the groups, of several programs. Results are their own;
# global memory is recorded as without local memory, in all groups; in the sample's groups local memory is
# recorded as in a recording of all of it, and in the others it is not. What findings on global memory cost
# does not change with what else is recorded, and what is said of local memory names the sample.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"
program=$BUILD_DIR/tests/run_kernels

# law NAME PROGRAM ARGUMENT...: what holds of any program, which $native runs without us. NAME.sampled gets the
# launches that have a sample and the groups in it.
native=env
law() {
	name=$1
	shift
	# shellcheck disable=SC2086 # words
	$native "$@" >$name.native || fail "$name does not run"
	for spaces in global sample local; do
		WARPLINE_SPACES=$spaces record $name.$spaces "$@"
		expect "the exit status of $name with $spaces" "$status" 0
		untimed $name.native >$name.want
		untimed $name.$spaces.out | cmp $name.want - || fail "other results of $name with $spaces"
		info_of $name.$spaces
		expect "completeness of $name with $spaces" "$info_status" 0
		# Addresses of buffers are those of a run; of local memory they are offsets. Fields 1 launch,
		# 2 group, 3-5 item, 6 site, 7 file, 8 line, 9 kind, 10 bytes, 11 address, 12 buffer, 13 offset,
		# 14 loops.
		accesses_of $name.$spaces | awk -F, -v OFS=, '{
			is_local = $12 == "" && $9 ~ /read|write|atomic/
			if (!is_local) $11 = ""
			print is_local, $0 }' >$name.$spaces.events
		rm $name.$spaces.csv
	done
	row=0
	for launch in $(json $name.sample.json 'launches.*.index'); do
		"$BUILD_DIR/tests/json_get" $name.sample.json "launches.$row.local_groups.*" 2>/dev/null |
			sed "s/^/$launch,/" || true
		row=$((row + 1))
	done >$name.sampled
	[ -s $name.sampled ] || fail "$name has no launch with a sample"

	# What the sample must hold: all events of its groups, and of the others those of global memory.
	awk -F, 'NR == FNR { is_in[$1 "," $2] = has[$1] = 1; next }
		!$1 || is_in[$2 "," $3] || !has[$2]' $name.sampled $name.local.events >want
	cmp want $name.sample.events || fail "$name: the sample differs: $(diff want $name.sample.events | head -4)"
	[ "$(grep -c '^1' $name.sample.events)" -lt "$(grep -c '^1' $name.local.events)" ] ||
		fail "$name: all groups are in the sample"

	# Global memory is as without; sites and loops have other numbers where there are more of them.
	for spaces in global sample local; do
		grep '^0' $name.$spaces.events | cut -d, -f1-6,8-14 >$name.$spaces.global
	done
	cmp $name.global.global $name.local.global ||
		fail "$name: global memory differs: $(diff $name.global.global $name.local.global | head -4)"
	cmp $name.global.global $name.sample.global ||
		fail "$name: global memory differs: $(diff $name.global.global $name.sample.global | head -4)"
	rm $name.*.events $name.*.global
}

# More than 32 groups in some launch of each; of `lud` the third has 36, of tiles that it multiplies.
law reduce "$apps/reduce" --size 4096
law padded "$apps/transpose_padded" --size 256
export WARPLINE_LAUNCHES=2
law lud "$apps/lud" --size 112
unset WARPLINE_LAUNCHES

if [ "$*" = pocl ] && command -v clang-19 >/dev/null; then
	"$warpline" nvcc -o sums "$SOURCE_DIR/tests/e2e/local_sample.cu" || fail "the program of CUDA does not compile"
	native="$warpline cuda-run --"
	law cuda ./sums
	native=env
	expect "groups in the sample of CUDA" "$(wc -l <cuda.sampled)" 32
fi

# Launches 0 to 5 have a sample of 32 groups, launch 6 has 6 groups, which are all recorded.
sed 's/ONLY/0/' "$SOURCE_DIR/tests/e2e/local_sample.cl" >kernels.cl
law kernels "$program" kernels.cl
expect "groups in samples" "$(wc -l <kernels.sampled)" $((6 * 32))
mv kernels.sampled sampled
for spaces in global sample local; do
	mv kernels.$spaces $spaces
done

# A program that says nothing of it is recorded so.
record plain "$program" kernels.cl
info_of plain
expect "groups in the sample" "$(json plain.json 'launches.0.local_groups.*' | wc -l)" 32

# Turns of global memory, and what findings on it cost, are the same. Every group of `columns` is alike, and
# so what 32 of them say of all is exact.
for spaces in global sample local; do
	for launch in 0 1 2 3 4 5; do
		offline report --launches $launch --json $spaces.$launch.report $spaces >/dev/null ||
			fail "no report with $spaces"
		echo "launch $launch: $(json $spaces.$launch.report turns)"
		offline report --launches $launch $spaces | grep -B1 'of the global-memory work' | sort || true
	done >$spaces.costs
done
cmp global.costs local.costs || fail "costs differ: $(diff global.costs local.costs)"
cmp global.costs sample.costs || fail "costs differ: $(diff global.costs sample.costs)"
for launch in 0 2; do
	expect "turns of local memory in launch $launch" "$(json sample.$launch.report local_turns)" \
		"$(json local.$launch.report local_turns)"
	expect "the error in launch $launch" "$(json sample.$launch.report local_error)" 0.0
done
expect "groups that were looked at" "$(json sample.0.report local_groups_seen)" 32
expect "groups" "$(json sample.0.report local_groups)" 48
expect "groups that were looked at of all" "$(json local.0.report local_groups_seen)" 48

# A conflict in all groups is found in the sample, and said of what; without local memory nothing is.
offline report --launches 0 sample >report
grep -q 'reads tile\[l\]\[x\] in local memory in 32 passes instead of 1; seen in 32 of 48 groups' report ||
	fail "no bank conflict in the sample"
grep -q '^Local memory was sampled in 32 of 48 groups and is assumed to be alike in all (standard error of its work 0.0%)' report ||
	fail "the report does not name the sample"
offline report --launches 0 global >report
grep -q 'Not looked for: bank-conflict' report || fail "a bank conflict without local memory is acquitted"
offline info sample >info
grep -q 'local memory of 32 groups of a launch' info || fail "info does not name the sample"

# A conflict in one group: where the sample has the group it is found, else the report says what it saw.
inside=$(sed -n 's/^5,//p' sampled | head -1)
outside=$(seq 0 47 | while read -r g; do grep -qx "5,$g" sampled || echo "$g"; done | head -1)
for group in "$inside" "$outside"; do
	sed "s/ONLY/$group/" "$SOURCE_DIR/tests/e2e/local_sample.cl" >kernels.cl
	WARPLINE_SPACES=sample WARPLINE_KERNEL=only record "only$group" "$program" kernels.cl
	offline replay --json "only$group.replay" "only$group" >/dev/null || fail "no replay of group $group"
	offline report "only$group" >"only$group.report" || fail "no report of group $group"
	grep -q '^Local memory was sampled in 32 of 48 groups' "only$group.report" ||
		fail "the report of group $group does not name the sample"
done
# 31 further passes of a write and of a read, of one group in 32: of 48 groups 46.5 of each, rounded 47.
expect "conflicts of a group in the sample" \
	"$(json "only$inside.replay" launches.0.local_memory.conflicts)" 94
expect "conflicts of a group beside it" \
	"$(json "only$outside.replay" launches.0.local_memory.conflicts)" 0
grep -q 'standard error of its work 0.0%' "only$inside.report" && fail "the error of one group in 32 is none"
passed

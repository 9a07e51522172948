#!/bin/sh
# random_addresses.sh DEVICE SEED...: kernels of random addresses, recorded in all forms.
#
# What is recorded with companions and runs must be what is recorded access by access; results are those
# of the native run, and counts those of the accesses. Every other seed is recorded as a GPU's compiler leaves it.
. "$SOURCE_DIR/tests/e2e/lib.sh"

export WARPLINE_CACHE=off WARPLINE_SPACES=global # counts are of it alone

use_device "$1"
shift
next=gpu
for seed in "$@"; do
	"$BUILD_DIR/tests/random_addresses" "$seed" >k.cl
	"$BUILD_DIR/tests/run_kernels" k.cl >native 2>native.err || fail "seed $seed does not run natively"
	for way in raw affine count; do
		rm -rf $way
		"$warpline" record --records $way -o $way -- \
			"$BUILD_DIR/tests/run_kernels" k.cl >out 2>err ||
			fail "seed $seed, $way: $(tail -n 3 err)"
		cmp -s native out || fail "seed $seed, $way: other results"
		[ $way = count ] || "$BUILD_DIR/tests/recording_compare" raw $way >differences ||
			fail "seed $seed, $way: $(head -n 3 differences)"
	done
	"$warpline" info count --json - >count.json
	"$warpline" info raw --json - >raw.json
	counted=$(json count.json accesses)
	recorded=$(json raw.json accesses)
	expect "accesses counted, seed $seed" "$counted" "$recorded"
	last=$WARPLINE_OPT
	export WARPLINE_OPT=$next
	next=$last
done
passed

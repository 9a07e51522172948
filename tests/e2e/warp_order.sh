#!/bin/sh
# warp_order.sh DEVICE: kernels with nested branches, jumps and barriers in loops, recorded, are
# replayed in the order in which warps of any width execute them.
. "$SOURCE_DIR/tests/e2e/lib.sh"
kernels=$SOURCE_DIR/tests/e2e/warp_order.cl
use_device "$1"
record rec timeout 240 "$BUILD_DIR/tests/run_kernels" "$kernels"
expect "the exit status" "$status" 0
for lanes in 8 16 32 64; do
	"$BUILD_DIR/tests/warp_order" rec "$SOURCE_DIR/gpus/gtx480.conf" $lanes >order.$lanes 2>&1 ||
		fail "warps of $lanes lanes: $(tail -n 1 order.$lanes)"
	expect "kernels in warps of $lanes lanes" "$(wc -l <order.$lanes)" "$(grep -c '^// run:' "$kernels")"
done
passed

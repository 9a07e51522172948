#!/bin/sh
# svm.sh: pointers kept in shared virtual memory are followed, and lead to their allocation.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

record nodes "$BUILD_DIR/tests/svm_nodes"
[ "$status" != 77 ] || { echo "no shared virtual memory"; exit 77; }
expect "the exit status" "$status" 0

# Allocations in order: values, nodes, out. Work-item i reads node i's pointer, what it points to (the
# (31 - i)-th value), the node's other member, and writes a result. A node has 16 bytes.
accesses_of nodes | awk -F, '{ print $12 ":" $13 }' >found
i=0
while [ "$i" -lt 32 ]; do
	echo "1:$((16 * i))"
	echo "0:$((4 * (31 - i)))"
	echo "1:$((16 * i + 8))"
	echo "2:$((4 * i))"
	i=$((i + 1))
done >expected
diff expected found >difference || fail "the accesses differ from those expected: see difference"
passed

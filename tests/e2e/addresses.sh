#!/bin/sh
# addresses.sh DEVICE: each access of three kernels is the one that its source asks for.
# Offsets in bytes, of floats, from the work-item's id and the loop's iteration alone.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"

# check APP PROGRAM: an awk program that sets want[KIND, N], the offsets that the work-item's Nth
# access of a kind must have; x y z are its id, n its size.
check() {
	app=$1 size=$2
	shift 2
	record "$app" "$apps/$app" --size "$size" --group "$1"
	expect "the exit status of $app" "$status" 0
	accesses_of "$app" >"$app.accesses"
	awk -F, -v n="$size" "$2"'
		{
			split($14, loop, ":")
			item = $3 " " $4 " " $5
			at = offset($3, $4, $5, $9, nth[item, $9]++, loop[2])
			if ($10 != 4 || $13 != at) {
				print "line " NR ": offset " $13 " should be " at
				exit 1
			}
		}' "$app.accesses" || fail "$app: a wrong access"
}

# The Nth read (from 0) is A[y][i] or B[i][x], i = N / 2, which is the iteration too.
check matmul 32 16x16 '
	function offset(x, y, z, kind, nth, iteration) {
		if (kind == "write")
			return 4 * (y * n + x)
		if (int(nth / 2) != iteration)
			return "of iteration " int(nth / 2)
		return nth % 2 ? 4 * (iteration * n + x) : 4 * (y * n + iteration)
	}'

check transpose 48 16x16 '
	function offset(x, y, z, kind, nth, iteration) {
		return kind == "write" ? 4 * (x * n + y) : 4 * (y * n + x)
	}'

# k+1, k-1, j+1, j-1, i+1, i-1, itself; the ids are one less than i, j, k.
check stencil 16 64x1x1 '
	function place(i, j, k) { return 4 * (i + n * (j + n * k)) }
	function offset(x, y, z, kind, nth, iteration) {
		if (kind == "write" || nth == 6)
			return place(x + 1, y + 1, z + 1)
		if (nth < 2)
			return place(x + 1, y + 1, z + 1 + (nth ? -1 : 1))
		if (nth < 4)
			return place(x + 1, y + 1 + (nth == 3 ? -1 : 1), z + 1)
		return place(x + 1 + (nth == 5 ? -1 : 1), y + 1, z + 1)
	}'
passed

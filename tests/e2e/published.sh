#!/bin/sh
# published.sh KERNEL: the numbers of bench/ancestor.sh that can be derived by hand.
# A row: kernel,configuration,groups,reads,misses, then groups, reads and misses
# of the SM with most reads, rate,published.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

"$SOURCE_DIR/bench/ancestor.sh" --csv "$1" >rows.csv
cat rows.csv
awk -F, '
	function ceil(a, b) { return int((a + b - 1) / b) }
	function must(what, got, want) {
		if (got + 0 == want)
			return
		print "FAILED: " $1 " " $2 ": " what " is " got ", expected " want
		bad = 1
	}
	# 48 warps fit on an SM: 6 groups of 8, or one of 32.
	function first_wave(width) {
		return 15 * (width == 16 ? 6 : 1)
	}
	NR == 1 { next }
	{
		split($2, c, "x")
		width = c[1]
		count = c[2]
		n = width * count
		groups = count * count
		rows++
	}

	# A warp of a 16-wide group is two rows of 64 bytes, at least 128 bytes apart: two lines.
	# Eight warps: 16 requests. A warp of a 32-wide group is one row of 128 bytes, one line: 32.
	# No line is read by two requests of one SM. Two 16-wide groups share a line when they
	# are neighbours in a row or, with an odd count, at the two ends of one: ids 1 or count - 1
	# apart, never a multiple of 15 for these counts; and 32-wide ones never do.
	$1 == "transpose" {
		each = width == 16 ? 16 : 32
		must("groups", $3, groups)
		must("read requests", $4, each * groups)
		must("misses", $5, each * groups)
		must("read requests of the fullest SM", $7, each * ceil(groups, 15))
		must("misses of the fullest SM", $8, each * ceil(groups, 15))
	}

	# Each of n iterations reads A, one line for each row of the warp, and B, one line: 3 of
	# 16-wide groups, 8 warps of them; 2 of 32-wide ones, 32 warps. Groups beyond those that fit
	# at first go where a slot is free, so there only what each one reads is known.
	$1 == "matmul" {
		each = width == 16 ? 8 * 3 * n : 32 * 2 * n
		must("groups", $3, groups)
		must("read requests", $4, each * groups)
		must("read requests of the fullest SM", $7, each * $6)
		if (groups <= first_wave(width))
			must("groups of the fullest SM", $6, ceil(groups, 15))
	}

	# Rows of 128 values are four lines. Warps hold i = 1..32, 33..64, 65..96, 97..126. Five
	# reads at i and one at i + 1 touch 2 2 2 1 lines, the one at i - 1 touches 1 1 1 1:
	# 13 13 13 7 requests, for each of 126 * 30 rows.
	$1 == "stencil" {
		must("groups", $3, 7560)
		must("read requests", $4, (13 + 13 + 13 + 7) * 126 * 30)
	}
	END {
		if (!rows)
			print "FAILED: no rows"
		exit bad || !rows
	}' rows.csv || fail "numbers differ"
passed

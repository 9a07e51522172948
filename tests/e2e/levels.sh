#!/bin/sh
# levels.sh DEVICE: the accesses of the source (--opt 0) and those that a GPU's compiler leaves, which are the
# default. The program's results are the same; info, report and diff say which accesses they are of.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"
unset WARPLINE_OPT
source=$SOURCE_DIR/tests/e2e/levels.cl
program=$BUILD_DIR/tests/run_kernels

"$program" "$source" >native || fail "the program fails"
"$warpline" record -q --opt 0 -o source.data -- "$program" "$source" >source.out 2>err || fail "$(cat err)"
"$warpline" record -q -o gpu.data -- "$program" "$source" >gpu.out 2>err || fail "$(cat err)"
cmp native source.out || fail "other results at --opt 0"
cmp native gpu.out || fail "other results at the default level"

# Loads and stores of 64 work-items; levels.cl says why.
want() {
	cat <<-END
	twice $((64 * $1)) 64
	whole 64 64
	always $((64 * 2)) 64
	others $((64 * 2)) 64
	aliased $((64 * 2)) $((64 * 2))
	once $((64 * $2)) 64
	past $((64 * $3)) 64
	END
}
counts() {
	"$warpline" info --json info.json "$1" >/dev/null || fail "no info"
	for i in 0 1 2 3 4 5 6; do
		echo "$(json info.json "launches.$i.kernel") $(json info.json "launches.$i.reads") $(json info.json "launches.$i.writes")"
	done
}
want 6 5 3 >want-source
want 3 1 2 >want-gpu
counts source.data >got-source
expect "level" "$(json info.json level)" 0
counts gpu.data >got-gpu
expect "level" "$(json info.json level)" gpu
cmp want-source got-source || fail "of the source: $(diff want-source got-source)"
cmp want-gpu got-gpu || fail "of a GPU's compiler: $(diff want-gpu got-gpu)"
"$warpline" dump --launch 1 --format csv gpu.data >dumped
expect "loads of 16 bytes" "$(grep -c ',read,16,' dumped)" 64

of_source="as in the source (--opt 0)"
of_gpu="as a GPU's compiler leaves them (--opt gpu)"
offline info source.data | grep -qxF "level     $of_source" || fail "info does not say that it is of the source"
offline info gpu.data | grep -qxF "level     $of_gpu" || fail "info does not say that it is of a GPU's compiler"
offline report gpu.data >report.txt
grep -qxF "Accesses: $of_gpu" report.txt || fail "report does not say it: $(head -n 4 report.txt)"
offline diff source.data gpu.data >diff.txt
grep -qF "A and B were recorded at different levels, at which the same program has different counts. A's accesses: $of_source. B's: $of_gpu." diff.txt ||
	fail "diff does not say it: $(head -n 6 diff.txt)"
offline diff gpu.data gpu.data >diff.txt
! grep -qF "Two levels" diff.txt || fail "diff speaks of levels where they are the same"
passed

# What the end-to-end tests share; read by them with `.`.
#
# From CTest: BUILD_DIR and SOURCE_DIR. Every test has a directory of its own, $work, removed when
# it passes and kept when it fails. A test is a shell program: it ends with 0, with 77 when the
# machine lacks what it needs, or by `fail SENTENCE` with 1.
# shellcheck shell=sh
set -eu

warpline=$BUILD_DIR/warpline
apps=$BUILD_DIR/apps
work=$BUILD_DIR/e2e/$TEST_NAME
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# Kernels compiled by POCL are kept for all tests of this build.
export POCL_CACHE_DIR="${POCL_CACHE_DIR:-$BUILD_DIR/pocl-cache}"
mkdir -p "$POCL_CACHE_DIR"

# With sanitizers, an application loads a foreign OpenCL runtime, whose leaks are not ours to
# report, and the recorder is preloaded, so that the sanitizer's library does not come first.
# What runs offline is checked for leaks: see offline().
# Compilers of runtimes allocate much: five callers of an allocation are kept, and little of what is freed.
export ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0:new_delete_type_mismatch=0:malloc_context_size=5:quarantine_size_mb=16"
unset OPENCL_LAYERS OCL_ICD_VENDORS LD_PRELOAD
export WARPLINE_GPU=gtx480 # where a test names none

# Numbers made by hand are those of the source's accesses; levels.sh is of the other level, and so is a
# mode of every kernel of tests/kernels.
export WARPLINE_OPT=0

fail() {
	echo "FAILED: $*" >&2
	echo "see $work" >&2
	exit 1
}

passed() {
	cd "$BUILD_DIR"
	rm -rf "$work"
	exit 0
}

# expect WHAT GOT WANT
expect() {
	[ "$2" = "$3" ] || fail "$1 is '$2', expected '$3'"
}

# use_device pocl|oclgrind|installed-pocl: let the loader see this platform alone. The first is POCL with
# those of its built-in functions that our tests call: see tests/pocl/make_pocl.sh.
use_device() {
	case $1 in
	pocl) icd=$(cat "$BUILD_DIR/pocl/vendors/pocl.icd") ;;
	installed-pocl) icd=libpocl.so.2 ;;
	oclgrind)
		icd=/usr/lib/oclgrind/liboclgrind-rt-icd.so
		[ -e "$icd" ] || { echo "oclgrind is not installed"; exit 77; }
		;;
	rusticl)
		[ -e /etc/OpenCL/vendors/rusticl.icd ] || { echo "rusticl is not installed"; exit 77; }
		icd=$(cat /etc/OpenCL/vendors/rusticl.icd)
		export RUSTICL_ENABLE=llvmpipe
		;;
	*) fail "no device $1" ;;
	esac
	mkdir -p "$work/vendors-$1"
	echo "$icd" >"$work/vendors-$1/$1.icd"
	export OCL_ICD_VENDORS="$work/vendors-$1"
}

# json FILE PATH...
json() {
	"$BUILD_DIR/tests/json_get" "$@" || fail "$1 has no $2"
}

# A result line without the time.
untimed() {
	sed 's/ [a-z]*_ms=[0-9.]*//g' "$1"
}

# record DIR APP ARG...: the exit status is the application's, in $status.
record() {
	dir=$1
	shift
	status=0
	timeout -k 5 400 "$warpline" record -o "$dir" -- "$@" >"$dir.out" 2>"$dir.err" || status=$?
}

# A command of warpline that runs no program.
offline() {
	ASAN_OPTIONS=detect_leaks=1 "$warpline" "$@"
}

# info_of DIR: DIR.json; the exit status, which says whether it is complete, is in $info_status.
info_of() {
	info_status=0
	offline info "$1" --json - >"$1.json" || info_status=$?
}

# launches_of DIR: "NUMBER:KERNEL:FATE:ACCESSES " for each launch that has a line in DIR.json, then
# "KERNEL:COUNT " for those that were left out, by kernel.
launches_of() {
	for field in index kernel fate accesses; do
		json "$1.json" "launches.*.$field" >"$1.$field"
	done
	paste -d: "$1.index" "$1.kernel" "$1.fate" "$1.accesses" | tr '\n' ' '
	json "$1.json" 'left_out.*.kernel' >"$1.kernel"
	json "$1.json" 'left_out.*.launches' >"$1.count"
	paste -d: "$1.kernel" "$1.count" | awk -F: 'NF == 2 { n[$1] += $2 }
		END { for (k in n) print k ":" n[k] }' | sort | tr '\n' ' '
}

# chosen_of AWK-CONDITION [FATE] <LAUNCHES: what launches_of() says of a recording of which launch n,
# the m-th (from 0) of kernel k, is as in LAUNCHES where the condition holds; the others have the
# fate, or were left out.
chosen_of() {
	tr ' ' '\n' | awk -F: -v fate="${2:-}" 'NF == 4 {
		n = $1; k = $2; m = seen[k]++
		if ('"$1"') printf "%s ", $0
		else if (fate) printf "%s:%s:%s:0 ", n, k, fate
		else out[k]++ }
		END { for (k in out) print "\n" k ":" out[k] }' >chosen.all
	head -1 chosen.all | tr -d '\n'
	sed 1d chosen.all | sort | grep . | tr '\n' ' ' || true
}

# accesses_of DIR: every event as CSV, without the heading: launch, group, item x y z, site, file,
# line, kind, bytes, address, buffer, offset, loops.
accesses_of() {
	offline dump "$1" --format csv >"$1.csv" || fail "$1 cannot be dumped"
	sed 1d "$1.csv"
}

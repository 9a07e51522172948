#!/bin/sh
# needed.sh BUILD_DIR >LIST: needed.list anew, its patterns as they are and the other functions of POCL's library that the kernels of a run of all tests
# called. The run must have used the whole library: `WHOLE_POCL=1 ALL_TESTS=1 scripts/test.sh` in a fresh clone.
#
# POCL keeps each program with the functions that it linked to it. LLVM_NM names an llvm-nm of POCL's LLVM.
set -eu
library=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n 's/.*libpocl\.so\.2 .*=> //p' | head -n 1)
library=$(readlink -f "$library")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$1/pocl-cache" -name program.bc -print0 | xargs -0 -n 40 "${LLVM_NM:-llvm-nm}" 2>/dev/null |
	awk 'NF == 3 { print $3 }' | sort -u >"$work/linked"
"${LLVM_NM:-llvm-nm}" /usr/share/pocl/kernel-*-avx512.bc | awk '$2 ~ /[TtW]/ { print $3 }' | sort -u >"$work/all"
echo "# ${library##*/}"
here=$(cd "$(dirname "$0")" && pwd)
sed -n 's|^/\(.*\)/$|\1|p' "$here/needed.list" >"$work/patterns"
sed 's|.*|/&/|' "$work/patterns"
comm -12 "$work/linked" "$work/all" | grep -vEf "$work/patterns"

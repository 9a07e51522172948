#!/bin/sh
# bypass.sh INSTRUMENTER bypass_loads.cu: what a list names becomes ld.global.cg in the PTX, also of
# probed code; the table says which sites; ptxas takes it where it is installed.
set -eu
instrumenter=$1 loads=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$out"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# write LIST OPTION...
write() {
    list=$1
    shift
    "$instrumenter" --source "$loads" --door ptx --output out.ptx --table table --apply "$list" "$@"
    ptxas=$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)
    [ ! -x "$ptxas" ] || "$ptxas" -O0 -arch=sm_75 -o /dev/null out.ptx || fail "ptxas does not take it"
}

# count TEXT: lines of the PTX that have it.
count() {
    grep -c "$1" out.ptx || true
}

# Reads, writes and what is added to: of the sites only loads, and of these not the volatile one, 15.
write "$(printf 'warpline bypass 1\nall\n')" --records none
grep -q '"applied":\[0,2,3,5,6,8,9,10,12,13,16\]' table || fail "$(grep -o '"applied":[^]]*' table) are changed"
[ "$(count 'ld.global.cg')" -eq 11 ] || fail "$(count 'ld.global.cg') loads have .cg, expected 11"
[ "$(count 'ld.global.cg.u8 ')" -eq 1 ] || fail "the byte is not loaded as one"
[ "$(count 'ld.global.cg.u64 ')" -eq 2 ] || fail "the double and the pointer are not loaded as 64 bits"
[ "$(count 'ld.volatile.global')" -eq 1 ] || fail "the volatile load is another"

# One site in all warps; the other ten from warp 3 on, by predicates.
write "$(printf 'warpline bypass 1\nkernel loads\nsite 0\nwarps 3\n')" --records raw
[ "$(count 'setp.ge.u32 p, .*, 3; @p ld.global.cg.* @!p ld.global.u')" -eq 10 ] || fail "not ten loads depend on the warp"
[ "$(count '^	ld.global.cg')" -eq 1 ] || fail "not one load is changed in all warps"

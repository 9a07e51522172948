#!/bin/sh
# parts.sh INSTRUMENTER: programs of several parts, of embedded headers, of bitcode and SPIR-V.
set -u
instrumenter=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
cd "$dir" || exit 1

wrong() {
    echo "$*"
    failures=$((failures + 1))
}

# instrument ARGS...: what is left in out.cl, table, headers, errors and $status.
instrument() {
    rm -f out.cl table headers
    status=0
    "$instrumenter" --output out.cl --table table --headers headers "$@" 2>errors || status=$?
}

# expect_sites NAME WANT: the expressions of the kernels' sites, in order.
expect_sites() {
    got=$(tr ',' '\n' <table 2>errors | sed -n 's/.*"expression": *"\(.*\)"$/\1/p' | tr '\n' ' ')
    [ "$status" = 0 ] && [ "$got" = "$2" ] ||
        wrong "$1: exit $status, sites '$got', expected '$2': $(cat errors)"
}

# expect_refusal NAME STATUS TEXT
expect_refusal() {
    [ "$status" = "$2" ] && grep -qF -- "$3" errors && [ ! -e table ] ||
        wrong "$1: exit $status, expected $2 and '$3': $(cat errors)"
}

# embedded/0 is sought before this directory, and "../" leads out of it.
mkdir -p embedded/0/inc inc
echo '#include "../../up.h"' >embedded/0/inc/h.h
echo '#define AT 5' >embedded/up.h
echo '#define AT wrong' >inc/h.h
printf '#include "inc/h.h"\nint helper(__global int *o) { return o[AT]; }\n' >helper.cl
cat >caller.cl <<EOF
int helper(__global int *o);
static int same(int x) { return x + V; }
__kernel void k(__global int *o) { o[0] = same(helper(o)); }
EOF
cat >other.cl <<EOF
static int same(int x) { return x - V; }
__kernel void l(__global int *o) { o[1] = same(o[2]); }
EOF

instrument --source helper.cl --embedded embedded/0 \
    --options '-cl-mad-enable -DX -cl-std=CL1.1' --source caller.cl \
    --options '-DV=1 -cl-mad-enable -cl-fast-relaxed-math' --source other.cl \
    --options '-DV=2 -cl-mad-enable -cl-std=CL2.0'
expect_sites "three parts" 'o[AT] o[0] o[2] o[1] '
[ "$(head -1 out.cl)" = '// options: -cl-std=CL2.0 -cl-mad-enable' ] ||
    wrong "options of three parts: $(head -1 out.cl)"
[ -e headers ] && [ ! -s headers ] || wrong "embedded headers are listed: $(cat headers)"
grep -q "$dir" table && wrong "the table names the folder of embedded headers"

# Without the folder it is this directory's header, which is listed.
echo '#define AT 6' >inc/h.h
instrument --source helper.cl --source caller.cl --options -DV=3
expect_sites "a header on disk" 'o[AT] o[0] '
[ "$(cat headers)" = "$(realpath inc/h.h)" ] || wrong "headers: $(cat headers)"

instrument --source caller.cl --options -DV=1 --source caller.cl --options -DV=2
expect_refusal "twice the same" 1 "symbol multiply defined"
instrument --source caller.cl --source other.cl --options -DV=2
expect_refusal "a part that does not compile" 1 "caller.cl:2"
instrument --options -DV=2 --source other.cl
expect_sites "an option before its source" 'o[2] o[1] '

"clang-${WARPLINE_LLVM:-19}" -x cl -cl-std=CL1.2 -target spir64 -O1 -emit-llvm -c -o helper.bc helper.cl
instrument --source helper.bc --source caller.cl --options -DV=1
[ "$status" = 0 ] && grep -q '"read"' table || wrong "bitcode and text: $(cat errors)"
"clang-${WARPLINE_LLVM:-19}" -x c -target x86_64-linux-gnu -O1 -emit-llvm -c -o host.bc - <<EOF
int x;
EOF
instrument --source host.bc
expect_refusal "bitcode of another machine" 1 "bitcode for 'x86_64-unknown-linux-gnu', expected SPIR"
head -c 100 helper.bc >cut.bc
instrument --source cut.bc
expect_refusal "bitcode that is cut off" 1 "not an LLVM ${WARPLINE_LLVM:-19} module"

echo nonsense >bad.spv
mkdir nothing
status=0
rm -f table
PATH=$dir/nothing "$instrumenter" --source bad.spv --output out.cl --table table 2>errors || status=$?
expect_refusal "without llvm-spirv" 1 "llvm-spirv-${WARPLINE_LLVM:-19}, which is not installed"
for version in "${WARPLINE_LLVM:-19}" 14; do
    command -v llvm-spirv-$version >which && command -v clang-$version >which || continue
    echo '__kernel void s(__global int *o) { o[3] = o[4]; }' >s.cl
    clang-$version -x cl -cl-std=CL1.2 -target spir64 -O1 -emit-llvm -c -o s.bc s.cl
    llvm-spirv-$version s.bc -o s.spv
    instrument --source s.spv
    [ "$status" = 0 ] && grep -q '"write"' table || wrong "SPIR-V: $(cat errors)"
    instrument --source bad.spv
    expect_refusal "what is no SPIR-V" 1 "llvm-spirv-$version exited with status"
    break
done
[ -e s.spv ] || echo "llvm-spirv is not installed: SPIR-V is not tried"
exit $((failures > 0))

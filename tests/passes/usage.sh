#!/bin/sh
# usage.sh INSTRUMENTER: what it says, and its exit status, when it cannot do what it is asked.
set -u
instrumenter=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# expect STATUS TEXT ARGS...: exits with STATUS, one line on stderr that holds TEXT, no output.
expect() {
    status=$1 text=$2
    shift 2
    "$instrumenter" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    if [ "$got" != "$status" ] || [ "$(wc -l <"$dir/err")" != 1 ] || [ -s "$dir/out" ] ||
        ! grep -qF -- "$text" "$dir/err"; then
        echo "$*: exit $got, expected $status and '$text':"
        cat "$dir/err"
        failures=$((failures + 1))
    fi
}

good=$dir/good.cl bad=$dir/bad.cl none=$dir/none.cl rest="--output $dir/o --table $dir/t"
echo '__kernel void k(__global int *a) { a[0] = X; }' >"$good"
printf '\n__kernel void k(__global int *a) { a[0] = nowhere; }\n' >"$bad"
echo 'int f(int x) { return x; }' >"$none"
echo '__kernel void warpline_k(__global int *a) { a[0] = 1; }' >"$dir/taken.cl"
echo '__kernel void k(__global int *a, int n) { a[n] = n; if (n) k(a, n - 1); }' >"$dir/self.cl"
echo 'define nonsense' >"$dir/bad.ll"

# shellcheck disable=SC2086 # $rest is words
{
    expect 2 "--source, --output and --table are needed"
    expect 2 "unknown option '--nonsense'" --nonsense
    expect 2 "lacks its value" --source
    expect 2 "unexpected argument" $rest word
    expect 2 "expected one of 32|64, not '16'" --source "$good" $rest --address-bits 16
    expect 2 "expected one of affine|raw|count|none, not 'mute'" --source "$good" $rest --records mute
    expect 2 "not a version" --source "$good" $rest --cl-version 1.20
    expect 2 "not closed" --source "$good" $rest --options "-DX='1"
    expect 1 "No such file" --source "$dir/absent.cl" $rest
    expect 1 "name.cl:2:43: error: use of undeclared identifier 'nowhere'" \
        --source "$bad" --source-name name.cl $rest
    expect 1 "contains no kernel" --source "$none" $rest
    expect 1 "are reserved" --source "$dir/taken.cl" $rest
    expect 1 "kernel k: the program's own code refers to it" --source "$dir/self.cl" $rest
    expect 1 "not an LLVM ${WARPLINE_LLVM:-19} module" --source "$dir/bad.ll" $rest
    expect 1 "$dir/absent/o" --source "$good" --options -DX=1 --output "$dir/absent/o" \
        --table "$dir/t"
}
"$instrumenter" --help >"$dir/out" && grep -q -- --source-name "$dir/out" || failures=1
"$instrumenter" --version >"$dir/out" && grep -q '^warpline-instrument [0-9]' "$dir/out" || failures=1
exit $((failures > 0))

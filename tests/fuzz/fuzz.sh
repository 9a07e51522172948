#!/bin/sh
# fuzz.sh FUZZER CORPUS: run FUZZER for FUZZ_SECONDS (6) from the files of CORPUS on, which stay as
# they are. An input that fails is shown, and kept beside the fuzzer. With FUZZ_SEED another seed.
set -eu
fuzzer=$1 corpus=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$fuzzer" -max_total_time="${FUZZ_SECONDS:-6}" -seed="${FUZZ_SEED:-1}" -timeout=20 \
	-rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=65536 -print_final_stats=1 -verbosity=0 \
	-artifact_prefix="$fuzzer-" "$work" "$corpus" >"$work.log" 2>&1 && status=0 || status=$?
grep -E '^stat|^INFO' "$work.log" || true
[ $status = 0 ] || tail -n 60 "$work.log"
rm -f "$work.log"
exit $status

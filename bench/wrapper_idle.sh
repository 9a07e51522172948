#!/bin/sh
# Nanoseconds that a call costs: bare, with the recorder loaded and no recording asked for, and
# while recording: with no kernel selected (kernel), with launches left out by number (launches), by
# --skip (skip), by --max-launches (max), or with a kernel that cannot be traced (unmodified).
# bench/wrapper_idle.sh [BUILD_DIR]; needs scripts/build.sh release all measures.
set -eu
build=${1:-build}
build=$(cd "$build" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
app=$build/bench/wrapper_idle

one_run() {
	case $1 in
	bare) "$app" ;;
	loaded) OPENCL_LAYERS=$build/libwarpline.so "$app" ;;
	kernel) recording env WARPLINE_KERNEL='^none$' "$app" ;;
	launches) recording env WARPLINE_LAUNCHES=999999999 "$app" ;;
	skip) recording env WARPLINE_SKIP=999999999 "$app" ;;
	max) recording env WARPLINE_MAX_LAUNCHES=1 "$app" ;;
	unmodified) recording env WARPLINE_INSTRUMENT=/nonexistent "$app" ;;
	esac
}

recording() {
	rm -rf "$dir/rec"
	OPENCL_LAYERS=$build/libwarpline.so WARPLINE_DIR=$dir/rec \
		WARPLINE_INSTRUMENT=$build/warpline-instrument "$@"
}

ways="bare loaded kernel launches skip max unmodified"
# The best of three, one after the other, so that what else the machine does meets all alike.
for round in 1 2 3; do
	for way in $ways; do
		one_run $way >"$dir/$way.$round"
	done
done
printf '%-44s' "nanoseconds"
for way in $ways; do
	printf ' %10s' "$way"
done
echo
while IFS= read -r line; do
	name=$(printf '%s' "$line" | sed 's/  *[0-9.]*$//')
	printf '%-44s' "$name"
	for way in $ways; do
		printf ' %10s' "$(cat "$dir/$way".[123] | grep "^$name  *[0-9]" | sed 's/.* //' | sort -n | head -1)"
	done
	echo
done <"$dir/bare.1"

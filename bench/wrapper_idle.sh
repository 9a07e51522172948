#!/bin/sh
# Nanoseconds that a call costs: bare, with the recorder loaded and no recording asked for, and
# while recording with no kernel selected. bench/wrapper_idle.sh [BUILD_DIR]
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
	unselected)
		rm -rf "$dir/rec"
		OPENCL_LAYERS=$build/libwarpline.so WARPLINE_DIR=$dir/rec \
			WARPLINE_INSTRUMENT=$build/warpline-instrument WARPLINE_KERNEL='^none$' "$app"
		;;
	esac
}

# The best of three, one after the other, so that what else the machine does meets all alike.
for round in 1 2 3; do
	for way in bare loaded unselected; do
		one_run $way >"$dir/$way.$round"
	done
done
echo "call                                       bare   loaded  unselected  (ns)"
while IFS= read -r line; do
	name=$(printf '%s' "$line" | sed 's/  *[0-9.]*$//')
	printf '%-40s' "$name"
	for way in bare loaded unselected; do
		printf ' %8s' "$(cat "$dir/$way".[123] | grep -F "$name " | sed 's/.* //' | sort -n | head -1)"
	done
	echo
done <"$dir/bare.1"

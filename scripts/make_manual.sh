#!/bin/sh
# make_manual.sh WARPLINE DIR: write the manual pages to DIR/man and the completions of shells to
# DIR/completions, as the program's tables say. Those of the repository are in docs/:
#
#	scripts/make_manual.sh build/warpline docs
set -eu
[ $# = 2 ] || { echo "make_manual.sh: expected WARPLINE DIR" >&2; exit 2; }
warpline=$1 dir=$2
mkdir -p "$dir/man" "$dir/completions"
rm -f "$dir"/man/*.1
"$warpline" help --man >"$dir/man/warpline.1"
for command in $(sed -n 's/^\.BR warpline\\-\([a-z-]*\) (1)$/\1/p' "$dir/man/warpline.1"); do
	"$warpline" help --man "$command" >"$dir/man/warpline-$command.1"
done
"$warpline" help --completion bash >"$dir/completions/warpline.bash"
"$warpline" help --completion zsh >"$dir/completions/_warpline"
"$warpline" help --completion fish >"$dir/completions/warpline.fish"

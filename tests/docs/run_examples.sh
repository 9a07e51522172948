#!/bin/sh
# run_examples.sh BUILD SOURCE FOLDER: the examples of help and the manual pages, as if they were a
# document, each with warpline.data and warpline.data.2 that were recorded whole. Those that are to fail on a finding may end with 1.
set -eu
build=$(realpath "$1") source=$(realpath "$2") folder=$(realpath "$3")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
sed -n 's/^EXAMPLE([a-z-]*, "\(.*\)", "[^"]*")$/\1/p' "$source/cli/manual/examples.def" |
	sed 's/\\"/"/g; s/\\\\/\\/g; s/^.* --fail-.*/& || [ $? = 1 ]/' |
	awk '{ print "```sh\nrm -rf warpline.data*; for d in warpline.data warpline.data.2; do cp -R run.data $d; done\n" $0 "\n```\n" }' >"$work/examples.md"
[ "$(grep -c '^warpline' "$work/examples.md")" -gt 20 ] || { echo "few examples"; exit 1; }
[ "$(grep -c '^EXAMPLE(' "$source/cli/manual/examples.def")" = "$(grep -c '^```sh' "$work/examples.md")" ] || {
	echo "examples.def has rows that are not read"
	exit 1
}
NOT_RUN=/dev/null "$here/run_document.sh" "$build" "$work" "$folder" examples.md

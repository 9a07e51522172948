#!/bin/sh
# pages.sh WARPLINE SOURCE: the manual pages and completions that the repository has are those that
# the program makes, and what reads manual pages finds nothing wrong with them.
set -u
warpline=$1 source=$2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0
"$source/scripts/make_manual.sh" "$warpline" "$tmp" || exit 1
for part in man completions; do
	diff -ru "$source/docs/$part" "$tmp/$part" || failed=1
done
[ $failed = 0 ] || echo "out of date: run scripts/make_manual.sh BUILD/warpline docs"
[ "$(ls "$tmp/man" | wc -l)" -gt 14 ] || { echo "pages are missing: $(ls "$tmp/man")"; failed=1; }
if command -v mandoc >/dev/null; then
	mandoc -T lint -W style "$tmp"/man/*.1 || failed=1
fi
if command -v groff >/dev/null; then
	groff -man -ww -z "$tmp"/man/*.1 2>&1 | tee "$tmp/said"
	[ ! -s "$tmp/said" ] || failed=1
fi
if command -v bash >/dev/null; then bash -n "$tmp/completions/warpline.bash" || failed=1; fi
if command -v zsh >/dev/null; then zsh -n "$tmp/completions/_warpline" || failed=1; fi
if command -v fish >/dev/null; then fish --no-execute "$tmp/completions/warpline.fish" || failed=1; fi
exit $failed

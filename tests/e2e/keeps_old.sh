#!/bin/sh
# The default recording is warpline.data; an existing one moves to warpline.data.old, once.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

for size in 16 32 48; do
	"$warpline" record -- "$apps/transpose" --size $size >/dev/null
done
# 2 * size^2 accesses each: the third is here, the second is .old, the first is gone.
info_of warpline.data
expect "accesses of the last" "$(json warpline.data.json accesses)" 4608
info_of warpline.data.old
expect "accesses of the one before" "$(json warpline.data.old.json accesses)" 2048
[ ! -e warpline.data.old.old ] || fail "there are two old recordings"

# A directory that is no recording is the user's: it stays as it is.
mkdir mine
echo precious >mine/file
status=0
"$warpline" record -o mine -- "$apps/transpose" --size 16 >/dev/null 2>mine.err || status=$?
[ "$(cat mine/file 2>/dev/null)" = precious ] || [ "$(cat mine.old/file)" = precious ] ||
	fail "a file of the user's is gone"
passed

#!/bin/sh
# clblast.sh ROUTINE: CLBlast's own test of a routine, against a reference on the host.
. "$SOURCE_DIR/tests/real/real.sh"
needs "clblast_test_$1" clblast-tests
same "$1" "clblast_test_$1"
grep -q '0 test(s) failed' "$1.native" || fail "$1 fails without us"
all_traced "$1"
passed

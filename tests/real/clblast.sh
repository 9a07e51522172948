#!/bin/sh
# clblast.sh ROUTINE: CLBlast's own test of a routine, against a reference on the host.
. "$SOURCE_DIR/tests/real/real.sh"
needs "clblast_test_$1" clblast-tests
# POCL compiles its kernels with and without us, which is all that this costs: it is to do no more than it must.
export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
same "$1" "clblast_test_$1"
grep -q '0 test(s) failed' "$1.native" || fail "$1 fails without us"
all_traced "$1"
passed

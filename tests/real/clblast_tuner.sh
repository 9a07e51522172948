#!/bin/sh
# clblast_tuner.sh: an auto-tuner tries variants of a kernel, and each gives the right results.
. "$SOURCE_DIR/tests/real/real.sh"
needs clblast_tuner_xger clblast-utils
# Which variants are tried is drawn by lot.
told() {
	grep -cE 'results match'
}
same xger clblast_tuner_xger -m 64 -n 64 -fraction 16 -runs 1
all_traced xger
passed

#!/bin/sh
# clpeak.sh: a benchmark that finds OpenCL by dlopen() prints the same lines, with other numbers.
. "$SOURCE_DIR/tests/real/real.sh"
needs clpeak clpeak
told() {
	without_numbers
}
same compute clpeak --compute-integer
all_traced compute
same transfer clpeak --transfer-bandwidth
passed

#!/bin/sh
# hashcat.sh: a password cracker that finds OpenCL by dlopen() and keeps its binaries: a hash of a
# known word, once from source and once from the binaries.
. "$SOURCE_DIR/tests/real/real.sh"
needs hashcat hashcat
crack() {
	same "$1" hashcat --force -m 0 -a 3 -O --potfile-disable -D 1 --quiet \
		5f4dcc3b5aa765d61d8327deb882cf99 'p?lssword'
	grep -q ':password$' "$1.native" || fail "$1: the word is not found without us"
}
crack source
all_traced source
# The homes are kept, so that this time the binaries are there.
crack source
all_traced source
passed

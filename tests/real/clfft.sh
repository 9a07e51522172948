#!/bin/sh
# clfft.sh: transforms of four shapes, which the client checks itself; kernels made at run time.
. "$SOURCE_DIR/tests/real/real.sh"
needs clFFT-client clfft-client
told() {
	grep -E 'PASS|FAIL'
}
same line clFFT-client -x 1024 -b 4
same odd clFFT-client -x 960 -b 2
same plane clFFT-client -x 256 -y 16
same real clFFT-client -x 128 -y 4 --inLayout 5 --outLayout 3 --outPlace
for name in line odd plane real; do
	grep -q PASS $name.native || fail "$name: does not pass without us"
	all_traced $name
done
passed

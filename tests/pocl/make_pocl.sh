#!/bin/sh
# make_pocl.sh SUBSET DIR: make a POCL for tests in DIR, whose library of built-in functions has only those of
# needed.list and what they call. SUBSET is the program pocl_subset. DIR/vendors/pocl.icd names the result.
#
# POCL reads its whole library in each process that compiles a kernel: 23,000 functions in 9 MB, which takes two
# thirds of the time of such a test. It looks for the library next to itself, so DIR has links to all of POCL's
# files except the library. The first line of needed.list names the POCL whose functions it lists; any other POCL is
# used whole, and so is this one if WHOLE_POCL is set. A kernel that calls a function that is not listed does not
# build, and POCL says "Cannot find symbol": add the function, or make the list again (needed.sh).
set -eu
subset=$1 dir=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$dir"
mkdir -p "$dir/vendors"
library=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n 's/.*libpocl\.so\.2 .*=> //p' | head -n 1)
library=$(readlink -f "${library:-libpocl.so.2}")
share=/usr/share/pocl
if [ "${WHOLE_POCL:-}" ] || [ "$(sed -n '1s/# //p' "$here/needed.list")" != "${library##*/}" ] || [ ! -d $share ]; then
	echo libpocl.so.2 >"$dir/vendors/pocl.icd"
	exit
fi
mkdir -p "$dir/lib/opencl" "$dir/share/pocl"
ln -s "$library" "$dir/lib/opencl/libpocl.so.2"
ln -s "${library%/*}/pocl" "$dir/lib/opencl/"
ln -s $share/* "$dir/share/pocl/"
# Of the libraries POCL takes the one for this processor.
sed 1d "$here/needed.list" >"$dir/names"
for set in avx2 avx512; do
	of_set=$(echo $share/kernel-*-$set.bc)
	[ ! -e "$of_set" ] || { rm "$dir/share/pocl/${of_set##*/}" && "$subset" "$dir/names" "$of_set" "$dir/share/pocl/${of_set##*/}"; }
done
echo "$dir/lib/opencl/libpocl.so.2" >"$dir/vendors/pocl.icd"

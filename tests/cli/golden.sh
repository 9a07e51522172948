#!/bin/bash
# golden.sh [--update] PROGRAM MAKE_RECORDINGS EMPTY_RECORDER [CASE...]
#
# Every golden/*/*.cmd is a shell command over the recordings that MAKE_RECORDINGS makes and the
# files in golden/files; its output, messages and exit status must equal the files beside it.
# What is not ours to keep stable (version, bytes on disk, the temporary folder) is replaced by
# golden.sed first. --update rewrites the files; read the difference before accepting it.
set -u
update=
[ "$1" = --update ] && { update=1; shift; }
program=$(realpath "$1") maker=$(realpath "$2") recorder=$(realpath "$3")
shift 3
here=$(realpath "$(dirname "$0")")
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp" # as /tmp: others may enter

# A place of its own for the program, with a recorder that records nothing.
mkdir "$tmp/bin" "$tmp/cases"
cp "$program" "$tmp/bin/warpline"
ln -s "$(dirname "$program")/gpus" "$tmp/bin/gpus"
cp "$maker" "$tmp/bin/make_recordings"
cp "$recorder" "$tmp/bin/libwarpline.so"
touch "$tmp/bin/warpline-instrument"
mkdir -p "$tmp/bin/cuda/include"
touch "$tmp/bin/cuda/include/cuda_runtime.h" "$tmp/bin/cuda/libcudart.so.12"
export PATH=$tmp/bin:$PATH LC_ALL=C TMPDIR=$tmp
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
unset $(compgen -v WARPLINE_) OPENCL_LAYERS LD_PRELOAD
export WARPLINE_GPU=gtx480 # of the cases that name none; those about the default unset it

mkdir "$tmp/recordings"
(cd "$tmp/recordings" && make_recordings vadd cuda loops incomplete manifest truncated atomics kernels deep \
	far wide counted sides limited tallied streaming strided spread reused varied updated mixed) || exit 1

failed=0 count=0
cases=("$@")
[ ${#cases[@]} -gt 0 ] || mapfile -t cases < <(cd "$here/golden" && printf '%s\n' */*.cmd)
for cmd in "${cases[@]}"; do
	name=${cmd%.cmd}
	work=$tmp/cases/${name//\//-}
	mkdir "$work"
	cp -R "$here"/golden/files/* "$tmp"/recordings/* "$work"
	(
		cd "$work" &&
		eval "$(cat "$here/golden/$name.cmd")"
	) >"$tmp/raw.out" 2>"$tmp/raw.err" </dev/null
	echo $? >"$tmp/exit"
	for part in out err; do
		sed -E -f "$here/golden.sed" -e "s|$tmp|TMP|g" "$tmp/raw.$part" >"$tmp/$part"
	done
	for part in out err exit; do
		if [ -n "$update" ]; then
			cp "$tmp/$part" "$here/golden/$name.$part"
		elif ! diff -u "$here/golden/$name.$part" "$tmp/$part"; then
			echo "FAIL $name.$part"
			failed=1
		fi
	done
	count=$((count + 1))
done
echo "$count cases"
[ "$count" -gt 0 ] && exit $failed

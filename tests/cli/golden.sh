#!/bin/bash
# golden.sh [--update] PROGRAM MAKE_RECORDINGS EMPTY_RECORDER [CASE...]
# golden.sh --prepare PLACE PROGRAM MAKE_RECORDINGS EMPTY_RECORDER
# golden.sh --at PLACE CASE...
# golden.sh --remove PLACE
#
# Every golden/*/*.cmd is a shell command over the recordings that MAKE_RECORDINGS makes and the
# files in golden/files; its output, messages and exit status must equal the files beside it.
# What is not ours to keep stable (version, bytes on disk, the temporary folder) is replaced by
# golden.sed first. --update rewrites the files; read the difference before accepting it.
#
# CTest runs each case by itself: the recordings are made once, where the link PLACE leads to.
# Starting a process takes longer than most cases, so bash itself does what it can.
set -u
# Cases end pipes early; a parent that ignores SIGPIPE would make their writers complain.
[ -z "$(trap -p PIPE)" ] || exec env --default-signal=PIPE "$0" "$@"
here=$(cd "${0%/*}" && pwd -P)

# prepare PROGRAM MAKE_RECORDINGS EMPTY_RECORDER: in $tmp, a place of its own for the program, with a
# recorder that records nothing; and the recordings.
prepare() {
	chmod 755 "$tmp" # as /tmp: others may enter
	mkdir -p "$tmp/bin/cuda/include" "$tmp/recordings" "$tmp/cases" "$tmp/said"
	cp "$1" "$tmp/bin/warpline"
	ln -s "$(dirname "$1")/gpus" "$tmp/bin/gpus"
	cp "$2" "$tmp/bin/make_recordings"
	cp "$3" "$tmp/bin/libwarpline.so"
	touch "$tmp/bin/warpline-instrument" "$tmp/bin/cuda/include/cuda_runtime.h" "$tmp/bin/cuda/libcudart.so.12"
	(cd "$tmp/recordings" && ../bin/make_recordings vadd cuda loops incomplete manifest truncated atomics kernels \
		deep far wide counted sides limited tallied streaming strided spread reused varied updated mixed)
}

# remove PLACE
remove() {
	[ ! -L "$1" ] || rm -rf "$(readlink "$1")" "$1"
}

update='' what=
case $1 in
--update) update=1; shift ;;
--prepare)
	remove "$2"
	tmp=$(mktemp -d)
	ln -s "$tmp" "$2"
	prepare "$(realpath "$3")" "$(realpath "$4")" "$(realpath "$5")"
	exit
	;;
--remove) remove "$2"; exit ;;
--at) what=$1 tmp=$(cd "$2" && pwd -P); shift 2 ;;
esac
if [ -z "$what" ]; then
	tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
	prepare "$(realpath "$1")" "$(realpath "$2")" "$(realpath "$3")" || exit 1
	shift 3
fi

export PATH=$tmp/bin:$PATH LC_ALL=C
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
unset $(compgen -v WARPLINE_) OPENCL_LAYERS LD_PRELOAD
export WARPLINE_GPU=gtx480 # of the cases that name none; those about the default unset it

# copy_named TEXT PLACE: the files and recordings that TEXT names; all, where it looks for them with * or ls.
copy_named() {
	local from all='' named=()
	[[ ! $1 =~ [*]|(^|[^a-z-])ls([^a-z]|$) ]] || all=1
	for from in "$here"/golden/files/* "$tmp"/recordings/*; do
		[[ -z $all && $1 != *${from##*/}* ]] || named+=("$from")
	done
	[ ${#named[@]} = 0 ] || cp -R "${named[@]}" "$2"
}

# same FILE FILE
same() {
	[ -e "$1" ] || return 1
	[ -s "$1" ] || [ -s "$2" ] || return 0
	local want got
	if [[ $1 != *.exit ]]; then
		cmp -s "$1" "$2"
	else
		read -r want <"$1"
		read -r got <"$2"
		[ "$want" = "$got" ]
	fi
}

failed=0 count=0
cases=("$@")
[ ${#cases[@]} -gt 0 ] || mapfile -t cases < <(cd "$here/golden" && printf '%s\n' */*.cmd)
for cmd in "${cases[@]}"; do
	name=${cmd%.cmd}
	work=$tmp/cases/${name//\//-} said=$tmp/said/${name//\//-}
	[ ! -e "$work" ] && [ ! -e "$said" ] || rm -rf "$work" "$said"
	mkdir "$work" "$said"
	command=$(<"$here/golden/$name.cmd")
	copy_named "$command" "$work"
	(
		export TMPDIR=$said
		cd "$work" &&
		eval "$command"
	) >"$said/out" 2>"$said/err" </dev/null
	echo $? >"$said/exit"
	[ ! -s "$said/out" ] && [ ! -s "$said/err" ] ||
		sed -E -i -f "$here/golden.sed" -e "s#($said|$tmp)#TMP#g" "$said/out" "$said/err"
	for part in out err exit; do
		if [ -n "$update" ]; then
			cp "$said/$part" "$here/golden/$name.$part"
		elif ! same "$here/golden/$name.$part" "$said/$part"; then
			diff -u "$here/golden/$name.$part" "$said/$part"
			echo "FAIL $name.$part"
			failed=1
		fi
	done
	rm -rf "$work" "$said"
	count=$((count + 1))
done
echo "$count cases"
[ "$count" -gt 0 ] && exit $failed

#!/bin/sh
# Everything that a change must pass: check.sh [STEP]...; without a step, all of them, in this
# order: format build headers calls words sizes tidy tests fuzz. By its name alone: debian13, the README's commands
# on a bare Debian 13 (debian13.sh; DEBIAN13_TESTS="-L unit" for some of the tests).
set -u
cd "$(dirname "$0")/.." || exit 1

steps="format build headers calls words sizes tidy tests fuzz"
rooms="base gpu trace ptx passes instrumenter fatbin wrapper scheduler cachesim analysis cuda api cli bench tests docs/examples"

# Files of ours whose names end in one of the arguments. What lies in cuda/include is compiled into
# programs, in C++, and has CUDA's names: it is no code of a room.
sources() {
	for ending in "$@"; do
		# shellcheck disable=SC2086 # a list of words
		find $rooms -path cuda/include -prune -o -name "*.$ending" -type f -print
	done | LC_ALL=C sort
}

step_format() {
	sources c h | xargs "clang-format-$llvm" --dry-run -Werror
}

step_build() {
	for preset in ci ci-clang; do
		scripts/build.sh $preset all tests/all measures || return 1
	done
}

# Each header compiles with nothing before it.
step_headers() {
	scripts/build.sh ci configure || return 1 # warpline_replay_version.h
	flags="-std=gnu11 -D_GNU_SOURCE -I$(llvm-config-$llvm --includedir) -Ibuild-ci/api"
	for dir in $(sources h | xargs -n1 dirname | sort -u); do
		flags="$flags -I$dir"
	done
	bad=0
	for header in $(sources h); do
		version=
		[ "${header%%/*}" = bench ] && version=-DCL_TARGET_OPENCL_VERSION=120
		# shellcheck disable=SC2086
		gcc $flags $version -Wall -Wextra -Wno-unused-parameter -Werror -fsyntax-only -include "$header" \
			-x c /dev/null || bad=1
	done
	return $bad
}

# Only cli/ and programs of their own print to stdout and end the process; some calls are for none,
# and running a command line is for tests.
step_calls() {
	never='strcpy|strcat|sprintf|vsprintf|strtok|gets|atoi|atol|atof|rand|srand|alloca'
	running='system|popen'
	ending='exit|_exit|abort|printf|puts|putchar|vprintf'
	bad=0
	for file in $(sources c h); do
		case $file in
		tests/*) calls="$never" ;;
		cli/* | bench/* | docs/* | passes/instrument.c) calls="$never|$running" ;;
		wrapper/opencl/opencl_entry.c) calls="$never|$running|abort|printf|puts|putchar|vprintf" ;; # stands before exit()
		instrumenter/hidden_child.c) calls="$never|$running|exit|abort|printf|puts" ;; # a process of its own
		*) calls="$never|$running|$ending" ;;
		esac
		# Comments go first; line numbers stay.
		gcc -fpreprocessed -dD -E "$file" 2>/dev/null |
			awk -v file="$file" -v calls="(^|[^A-Za-z0-9_>.\"])($calls) *[(]" '
				/^# [0-9]+ / { line = $2 - 1; next }
				{ line++ }
				$0 ~ calls { print file ":" line ": forbidden call: " $0; bad = 1 }
				END { exit bad }' || bad=1
	done
	return $bad
}

# The word has three meanings in this field; LLVM's own name for a node of a graph is not ours, nor
# are the words of the reorder configuration's text form and of other tools' traces.
step_words() {
	! { sources c h def cl cmake txt sh && ls ./*.md ./*/*.md gpus/* scripts/* 2>/dev/null; } |
		grep -v -e CONTRIBUTING.md -e docs/glossary.md -e cuda_words | xargs grep -nHiwE 'bloc[k]s?' |
		grep -v 'LLVM.*basic' | grep -vE '(thread|grid size.*|-) ?bloc[k] |bloc[k] (size|dim)' | grep -vE '(-grid|Warp|take\(|expected|str_append).*[bB]loc[k]|[-" ][bB]loc[k] \[' | grep .
}

# A file is one idea, a function a step; past these limits they are likely more than one. A name is used once.
step_sizes() {
	bad=0
	for room in $(find ./*/ -path './build*' -prune -o -name '*.[ch]' -print | cut -d/ -f2 | sort -u); do
		case " $rooms " in
		*" $room"[\ /]*) ;;
		*) echo "check.sh: it does not look into $room/"; bad=1 ;;
		esac
		grep -q "^HeaderFilterRegex: .*[(|]$room[|)]" .clang-tidy || { echo ".clang-tidy: it does not look into $room/"; bad=1; }
	done
	for file in $(sources c h def inc cl cu cuh hpp); do
		case $file in
		*.h | *.cuh | *.hpp) limit=200 ;;
		*) limit=700 ;;
		esac
		lines=$(wc -l <"$file")
		[ "$lines" -le $limit ] || {
			echo "$file: $lines lines, $limit are allowed"
			bad=1
		}
	done
	# As clang-format leaves them, functions begin and end at the margin.
	sources c h inc cl cu cuh hpp | xargs awk '
		FNR == 1 { begin = 0 }
		/^\{/ { begin = FNR }
		/^\}/ && begin {
			lines = FNR - begin - 1
			if (lines > 60) { print FILENAME ":" begin ": " lines " lines of a function, 60 are allowed"; bad = 1 }
			begin = 0
		}
		END { exit bad }' || bad=1
	sources c h | sed 's|.*/||' | sort | uniq -d | sed 's/$/: two files have this name/' |
		grep . && bad=1
	return $bad
}

# One file a process: given several, clang-tidy reports what is not there.
step_tidy() {
	scripts/build.sh ci-clang configure || return 1
	for file in $(sources c); do
		grep -q "/$file\"" build-ci-clang/compile_commands.json && echo "$file"
	done | xargs -n1 -P "$(nproc)" "clang-tidy-$llvm" --quiet -p build-ci-clang 2>/dev/null
}

step_tests() {
	scripts/test.sh
}

# Skipped where such a system cannot be made.
step_debian13() {
	status=0
	# shellcheck disable=SC2086 # words
	scripts/debian13.sh ${DEBIAN13_TESTS:-} || status=$?
	[ $status -eq 0 ] || [ $status -eq 77 ]
}

# Each fuzzer for six seconds.
step_fuzz() {
	scripts/build.sh fuzz fuzzers || return 1
	bad=0
	for corpus in tests/fuzz/corpus/*; do
		sh tests/fuzz/fuzz.sh "build-fuzz/tests/fuzz_${corpus##*/}" "$corpus" || bad=1
	done
	return $bad
}

for step in "$@"; do
	case " $steps debian13 " in
	*" $step "*) ;;
	*) echo "check.sh: '$step' is none of: $steps debian13" >&2; exit 2 ;;
	esac
done
scripts/install-deps.sh || exit 1
llvm=$(scripts/llvm_version.sh) || exit 1
failed=
[ $# -gt 0 ] || eval set -- "$steps"
for step in "$@"; do
	echo "== $step"
	"step_$step" || failed="$failed $step"
done
[ -z "$failed" ] || { echo "check.sh: failed:$failed" >&2; exit 1; }
echo "check.sh: all passed"

#!/bin/sh
# mutants.sh DIR [NAME]... - break the sources in each way that mutants.list says, and see whether a
# test fails.
#
# DIR is made and kept: a copy of the sources, built once and then again for each mutant, as far as
# it must be. Prints a line for each mutant: killed, SURVIVED, or why nothing can be said. Ends with
# 0 when all were killed. The whole list takes a quarter of an hour on two cores.
set -eu
unset CDPATH
source=$(cd "$(dirname "$0")/../.." && pwd)
list=$source/tests/mutants/mutants.list

[ $# -ge 1 ] || { echo "usage: mutants.sh DIR [NAME]..." >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
chosen=" $* "
POCL_CACHE_DIR=$dir/pocl-cache
export POCL_CACHE_DIR
mkdir -p "$POCL_CACHE_DIR"

# The sources as git knows them or would: what is ignored stays behind. Only what differs is
# replaced, so that little is built again.
copy_sources() {
	mkdir -p "$dir/new" "$dir/tree"
	(cd "$source" && git ls-files -z -c -o --exclude-standard | tar -c --null -T - -f -) |
		tar -x -C "$dir/new" -f -
	(cd "$dir/new" && find . -type f) | while read -r file; do
		cmp -s "$dir/new/$file" "$dir/tree/$file" || {
			mkdir -p "$dir/tree/${file%/*}"
			cp "$dir/new/$file" "$dir/tree/$file"
		}
	done
	(cd "$dir/tree" && find . -type f) | while read -r file; do
		[ -e "$dir/new/$file" ] || rm "$dir/tree/$file"
	done
	rm -rf "$dir/new"
}

# What the list's tests run: the corpus, and the unit tests that it names.
build() {
	# shellcheck disable=SC2046 # words
	timeout 900 cmake --build "$dir/build" -j 2 --target corpus make_recordings empty_recorder \
		$(sed -n 's@^tests unit/\([a-z0-9_]*\)\$\{0,1\}$@test_\1@p' "$list" | sort -u) >"$dir/build.log" 2>&1
}

run_tests() {
	ctest --test-dir "$dir/build" -R "$1" --timeout 300 --stop-on-failure \
		--no-tests=error -j 2 >"$dir/tests.log" 2>&1
}

# The verdict of one mutant, its file changed; it is put right again.
try() {
	status=0
	if cmp -s "$dir/original" "$dir/tree/$file"; then
		verdict="does not apply"
	elif ! build; then
		verdict="does not build"
	else
		run_tests "$tests" || status=$?
		case $status in
		0) verdict=SURVIVED ;;
		*) verdict=killed ;;
		esac
		grep -q 'Timeout' "$dir/tests.log" && verdict="killed, or only slow: out of time"
		grep -q 'Not Run' "$dir/tests.log" && verdict="a test is not built"
	fi
	cp "$dir/original" "$dir/tree/$file"
	rm "$dir/original"
	touch "$dir/tree/$file"
}

report() {
	printf '%-28s %-32s %s\n' "$1" "$2" "$3"
	case $3 in
	killed*) ;;
	*) echo "$1: $3" >>"$dir/left" ;;
	esac
}

copy_sources
: >"$dir/left"
rm -f "$dir/original"
cmake -S "$dir/tree" -B "$dir/build" -DCMAKE_BUILD_TYPE=Release \
	${CMAKE_GENERATOR:+-G "$CMAKE_GENERATOR"} >"$dir/build.log"
build || { tail -n 20 "$dir/build.log"; exit 2; }
all=$(sed -n 's/^tests *//p' "$list" | sort -u | tr '\n' '|')
[ -n "${SKIP_FIRST:-}" ] || run_tests "${all%|}" || {
	tail -n 30 "$dir/tests.log"
	echo "mutants.sh: tests fail without any mutation"
	exit 2
}

while read -r key rest; do
	case $key in
	mutant) name=$rest ;;
	file) file=$rest ;;
	sed) change=$rest ;;
	tests)
		tests=$rest
		case $chosen in
		"  " | *" $name "*) ;;
		*) continue ;;
		esac
		cp "$dir/tree/$file" "$dir/original"
		sed "$change" "$dir/original" >"$dir/tree/$file"
		try </dev/null
		report "$name" "$file" "$verdict"
		;;
	'' | '#'*) ;;
	*) echo "mutants.list: '$key' is not understood" >&2; exit 2 ;;
	esac
done <"$list"
[ ! -s "$dir/left" ]

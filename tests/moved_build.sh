#!/bin/sh
# moved_build.sh SOURCE: scripts/build.sh builds in a tree that was moved or copied with its build folder, and
# says nothing of CMake's refusal of such a folder. The tree is one of our script and a project of three lines.
set -eu
source=$(realpath "$1")
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export PATH="$PATH:/bin"
unset MAKEFLAGS LLVM_VERSION
mkdir -p "$tmp/first/scripts"
cd "$tmp"
cp "$source/scripts/build.sh" first/scripts/
cat >first/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(moved LANGUAGES NONE)
add_custom_target(made ALL COMMAND ${CMAKE_COMMAND} -E echo ${PROJECT_SOURCE_DIR} > ${CMAKE_BINARY_DIR}/place)
END
cat >first/CMakePresets.json <<'END'
{ "version": 3, "configurePresets": [
    { "name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build" },
    { "name": "other", "generator": "Ninja", "binaryDir": "${sourceDir}/build-other" } ] }
END

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# builds TREE: both presets do, without a word on the standard error, and it is this tree that they build.
builds() {
	for preset in release other; do
		folder=build
		[ $preset = release ] || folder=build-$preset
		"$1/scripts/build.sh" $preset >out 2>err || fail "$1, $preset: $(cat out err)"
		[ ! -s err ] || fail "$1, $preset: it says $(cat err)"
		[ "$(cat "$1/$folder/place")" = "$tmp/$1" ] || fail "$1, $preset: $(cat "$1/$folder/place") is built"
	done
}

builds first
builds first # nothing is new
cp -R first copied
builds copied
builds first
mv first moved
builds moved
ln -s moved linked
linked/scripts/build.sh release >out 2>err || fail "by a link: $(cat out err)"
[ ! -s err ] || fail "by a link: it says $(cat err)"
# A build folder alone, of another tree.
cp -R copied third
rm -r third/build
cp -R moved/build third/
builds third

#!/bin/sh
# build.sh [PRESET [TARGET]...]: the programs, the libraries and the applications to record, of PRESET
# release into build/, of another into build-PRESET/. Other targets: tests/all, measures; configure, to build nothing.
set -eu
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
folder=build-$preset
[ "$preset" != release ] || folder=build

# CMake keeps absolute paths and refuses a folder that was moved or copied, before it has read a line of ours:
# what it keeps there goes, as its --fresh (from 3.24 on) does it. tests/moved_build.sh
cache=$folder/CMakeCache.txt
[ ! -f "$cache" ] || grep -qxF -e "CMAKE_CACHEFILE_DIR:INTERNAL=$PWD/$folder" \
	-e "CMAKE_CACHEFILE_DIR:INTERNAL=$(pwd -P)/$folder" "$cache" || rm -rf "$cache" "$folder/CMakeFiles"

# Of another LLVM: LLVM_VERSION=22.
cmake --preset "$preset" ${LLVM_VERSION:+-DWARPLINE_LLVM=$LLVM_VERSION} >/dev/null
[ "${1:-}" != configure ] || exit 0
[ $# -gt 0 ] || set -- all
cmake --build "$folder" --target "$@"

#!/bin/sh
# build.sh [PRESET [TARGET]...]: the programs, the libraries and the applications to record, of PRESET
# release into build/, of another into build-PRESET/. Other targets: tests/all, measures.
set -eu
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
folder=build-$preset
[ "$preset" != release ] || folder=build

# CMake keeps absolute paths and refuses a folder that was moved or copied: that one is configured anew.
cache=$folder/CMakeCache.txt
fresh=
[ ! -f "$cache" ] || grep -qxF -e "CMAKE_CACHEFILE_DIR:INTERNAL=$PWD/$folder" \
	-e "CMAKE_CACHEFILE_DIR:INTERNAL=$(pwd -P)/$folder" "$cache" || fresh=--fresh

cmake --preset "$preset" $fresh >/dev/null
[ $# -gt 0 ] || set -- all
cmake --build "$folder" --target "$@"

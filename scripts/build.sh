#!/bin/sh
# Build: build.sh [PRESET]. The default, release, goes into build/; PRESET into build-PRESET/.
set -eu
cd "$(dirname "$0")/.."

preset=${1:-release}
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"

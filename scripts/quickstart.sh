#!/bin/sh
# From a bare Debian 12 to a first report: install, build, record a matrix product on the CPU,
# and report what costs in it on a GTX 480.
set -eu
cd "$(dirname "$0")/.."

step() {
	printf '\n\033[1m$ %s\033[0m\n' "$*"
	"$@"
}

scripts/install-deps.sh build
scripts/build.sh
recording=build/quickstart.data
step build/warpline record -o $recording -- build/apps/matmul --size 256
step build/warpline info $recording
step build/warpline report $recording --gpu gtx480 --l1 16k

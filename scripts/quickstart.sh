#!/bin/sh
# From a bare Debian 12 or 13 to a first report: install, build, record a matrix transposition on the CPU,
# report what costs in it on a GeForce RTX 3070, compare with the repaired program, and say what to
# do next. Builds what that needs, and no tests.
set -eu
cd "$(dirname "$0")/.."
gpu=rtx3070

step() {
	printf '\n\033[1m$ %s\033[0m\n' "$*"
	"$@"
}

scripts/install-deps.sh build
scripts/build.sh release warpline warpline_recorder warpline-instrument transpose transpose_padded
naive=build/quickstart.data padded=build/quickstart-padded.data
step build/warpline record -q -o $naive -- build/apps/transpose --size 512 --group 32x8
step build/warpline report --gpu $gpu --html build/quickstart.html $naive
step build/warpline record -q -o $padded -- build/apps/transpose_padded --size 512
step build/warpline diff --gpu $gpu --top 1 $naive $padded

cat <<END

What next:
  build/quickstart.html                                 the report as a page, with the source and pictures
  build/warpline record -- ./my-program its arguments   record a program of your own: OpenCL, or CUDA by
                                                        warpline nvcc (docs/cuda.md); no GPU is needed
  build/warpline report --gpu $gpu                   what costs in it, where, and what to do
  export WARPLINE_GPU=$gpu                           your GPU for every command ('warpline gpus' lists them)
  docs/tutorial.md                                      from this finding to the fix and its proof, for CI too
END

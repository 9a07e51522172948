# shellcheck shell=sh disable=SC2154
# For prepare.sh and run_document.sh, which set `build` and `folder`: the same for every document,
# and nothing of the user's.
LC_ALL=C HOME=$folder/home XDG_CACHE_HOME=$folder/cache POCL_CACHE_DIR=$folder/pocl
PATH=$build:$PATH TERM=dumb COLUMNS=80
PKG_CONFIG_PATH=$folder/pc
export LC_ALL HOME XDG_CACHE_HOME POCL_CACHE_DIR PATH TERM COLUMNS PKG_CONFIG_PATH
unset OPENCL_LAYERS LD_PRELOAD NO_COLOR PAGER
for variable in $(env | sed -n 's/^\(WARPLINE_[A-Z_]*\)=.*/\1/p'); do
	unset "$variable"
done
# For the library, which lies where no description is beside it.
export WARPLINE_GPUS="$source/gpus"

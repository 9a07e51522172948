#!/bin/sh
# pyopencl.sh SCRIPT: a script of ours on pyopencl; without its cache of binaries, and with it twice.
. "$SOURCE_DIR/tests/real/real.sh"
needs_python pyopencl python3-pyopencl
script=$SOURCE_DIR/tests/real/$1.py
PYOPENCL_NO_CACHE=1 same plain "$python" "$script"
all_traced plain
same first "$python" "$script"
all_traced first
# What the first run cached are binaries for the second.
same first "$python" "$script"
all_traced first
passed

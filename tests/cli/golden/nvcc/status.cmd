mkdir tools; printf '#!/bin/sh\necho "a.c: error: no" >&2\nexit 4\n' >tools/clang-14; chmod +x tools/clang-14; PATH=$PWD/tools:$PATH warpline nvcc a.c; echo $?; ls $TMPDIR | grep -c warpline-nvcc

for i in 1 2; do warpline record sh -c 'make_recordings --here vadd; WARPLINE_DIR=$WARPLINE_DIR.2 make_recordings --here loops'; done 2>&1 | tail -11; ls -d warpline*

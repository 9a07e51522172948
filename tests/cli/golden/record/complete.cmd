warpline record -o out make_recordings --here vadd; s=$?; warpline info out | sed -n 1,4p; exit $s

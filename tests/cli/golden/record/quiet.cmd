warpline record -q -o out make_recordings --here vadd; warpline record --quiet -o out2 make_recordings --here incomplete

warpline record -v -o out make_recordings --here incomplete; warpline record -q -v true

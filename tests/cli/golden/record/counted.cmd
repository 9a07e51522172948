warpline record -o out make_recordings --here counted

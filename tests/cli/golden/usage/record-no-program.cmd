warpline record -o x --

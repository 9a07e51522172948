warpline record echo --help -o x --

warpline bypass --ptx nowhere.ptx --list all -o out.ptx

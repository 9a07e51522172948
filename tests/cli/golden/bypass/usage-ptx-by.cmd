warpline bypass --ptx in.ptx --list all -o out.ptx --by site streaming

# With the recording the site is told by the argument.
warpline bypass --ptx vadd.ptx -o out.ptx --list site:1 vadd; echo $?; diff vadd.ptx out.ptx

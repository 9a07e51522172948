# One load for the first warps, one for the others; .cs is another operator.
warpline bypass --ptx vadd.ptx -o out.ptx --list argument:b,warps:3 --cache-op cs vadd; echo $?; diff vadd.ptx out.ptx

# Without it by its place, in the order of the loads.
printf 'warpline bypass 1\nkernel vadd\nsite 0 at vadd.cu:5:9 #1\n' >list
warpline bypass --ptx vadd.ptx -o out.ptx --list list; echo $?; diff vadd.ptx out.ptx

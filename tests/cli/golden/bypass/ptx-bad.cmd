# What is no PTX leaves no file.
warpline bypass --ptx loops.txt -o out.ptx --list all; echo $?
printf '.entry k()\n{\n\tret\n}\n' >bad.ptx
warpline bypass --ptx bad.ptx -o out.ptx --list all; echo $?
warpline bypass --ptx nosuch.ptx -o out.ptx --list all; echo $?
printf 'warpline bypass 1\nkernel vadd\nsite 1 at vadd.cl:5:16 #2\n' >list
warpline bypass --ptx vadd.ptx -o out.ptx --list list vadd; echo $?
ls out.ptx

# What cannot be applied is named; the rest is.
printf 'warpline bypass 1\nkernel vadd\nargument a\nargument x\nline 7\naddress 0x40\naddress 0x80 sm 1\nkernel mm\nall\n' >list
warpline bypass --ptx - -o - --list list vadd <vadd.ptx >out.ptx; echo $?; diff vadd.ptx out.ptx

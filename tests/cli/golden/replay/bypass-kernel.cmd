# A rule of a kernel that there is not, of a read that it has not, and of an SM that the GPU has not.
for rules in 'kernel foo\nall' 'kernel vadd\nsite 2' 'kernel vadd\nline 7' 'kernel vadd\nargument c' 'address 0x10000000 sm 99' 'site'; do printf "warpline bypass 1\n$rules\n" | warpline replay vadd --bypass -; echo $?; done

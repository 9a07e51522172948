# Lines a b c a, c written, b c. Misses: a, b, c cold; c again, which the write took out. Of 4 stays of lines two have no further
# read (both of c), a and b have one each; 4 of 512 bytes are read. In the end a, b and c are there.
printf "0 0\n0 80\n0 100\n0 0\n1 100\n0 80\n0 100\n" >a.din; warpline import --format din a.din -o out >/dev/null && warpline replay out --stats all | sed -n '/By source/,$p'

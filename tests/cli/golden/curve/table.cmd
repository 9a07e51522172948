# Lines a b c a, c written, b c: distances - - - 2, then 2 (the way that c left is empty) and c was taken. Sets hold one line each.
printf "0 0\n0 80\n0 100\n0 0\n1 100\n0 80\n0 100\n" >a.din; warpline import --format din a.din -o out >/dev/null && warpline curve out

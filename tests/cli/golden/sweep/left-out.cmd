warpline sweep --l1-sets 1..64 --index modulo,fermi,xor --line 64,128 --l1-ways 4 -j 2 vadd >1; s=$?; cut -d, -f1-5 1; exit $s

printf "0 10\n4 0\n" >odd.din; warpline import --format din odd.din -o out; s=$?; ls -d out*; exit $s

warpline import loops.txt -o out; mkdir out.old; touch out.old/mine; warpline import loops.txt -o out; s=$?; ls -d out*; exit $s

for i in 1 2; do warpline import loops.txt -o out; done; touch out.old/mine; warpline import loops.txt -o out; s=$?; ls -d out*; ls out.old; exit $s

mkdir other; touch other/mine; warpline import loops.txt -o other; s=$?; ls other; exit $s

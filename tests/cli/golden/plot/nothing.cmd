warpline plot --sm 2 -o x.png vadd; warpline plot --from 192 -o x.csv vadd; warpline plot --from 5 --to 3 -o x.csv vadd; warpline plot -o x.csv truncated; ls x.*

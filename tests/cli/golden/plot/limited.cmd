warpline plot -o - --format csv limited; warpline plot --launch 1 -o x.csv limited

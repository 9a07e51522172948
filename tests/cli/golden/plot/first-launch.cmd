warpline plot --launch 0 -o x.csv limited 2>&1 | tail -1; warpline plot -o - --format gp incomplete 2>/dev/null | grep "label 1"; warpline plot -o x.csv counted

warpline plot -o - --format gp counted | grep "label 1"; warpline plot -o - --format gp incomplete 2>/dev/null | grep "label 1"; warpline plot --launch 1 -o x.csv limited

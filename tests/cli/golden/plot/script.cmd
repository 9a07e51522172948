warpline plot -o order.gp vadd && cut -c 1-160 order.gp | grep -v "^NaN"

printf "0 0\n0 80\n0 100\n0 0\n1 100\n0 80\n0 100\n" >a.din; warpline import --format din a.din -o out >/dev/null && warpline curve --l1-ways 5 -o - --format gp out

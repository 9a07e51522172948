# 7 accesses, of which the reads wait for 100,000 cycles: windows of 1 cycle would be too many.
printf "0 0\n0 80\n0 100\n0 0\n1 100\n0 80\n0 100\n" >a.din; warpline import --format din a.din -o out >/dev/null && warpline replay out --set l2_cycles=100000 --stats windows --window 1 | sed -n '/By window/,$p'; warpline replay out --stats windows --window 400 | sed -n '/By window/,$p'

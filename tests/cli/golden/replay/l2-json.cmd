warpline replay --gpu v100 --l2 on --set sm_count=2 --set l2_slices=2 --set dram_channels=2 --launch 0 --json - vadd | sed -n '/^      "l2": {/,/^      }/p;/^      "dram": {/,/^      }/p'

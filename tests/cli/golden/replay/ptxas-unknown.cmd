warpline replay --ptxas ptxas.log@sm_20 loops | head -3

warpline occupancy --gpu gtx480 --ptxas ptxas.log@sm_20 vadd

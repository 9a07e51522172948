warpline occupancy --gpu gtx480 --ptxas ptxas.log vadd

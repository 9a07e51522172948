warpline occupancy --gpu gtx480 --ptxas ptxas.log --group-size 64

warpline occupancy --gpu gtx480 --ptxas ptxas.log --registers 3 vadd

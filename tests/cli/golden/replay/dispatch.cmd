warpline replay --gpu gtx480 --dispatch breadth --jobs 3 loops

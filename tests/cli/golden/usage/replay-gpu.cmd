warpline replay --gpu gtx999 vadd

warpline bypass --gpu gtx750ti --by warp --carveout strided

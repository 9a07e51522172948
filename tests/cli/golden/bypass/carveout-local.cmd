warpline bypass --by warp --carveout mixed

warpline bypass --by warp --carveout streaming

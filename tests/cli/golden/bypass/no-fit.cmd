warpline bypass --by site --launch 3 mixed

warpline diff strided strided --gpu-b v100 --top 2

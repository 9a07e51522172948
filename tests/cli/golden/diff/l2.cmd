warpline diff strided strided --l2 on --gpu-b v100 --top 1

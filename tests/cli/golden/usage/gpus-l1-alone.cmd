warpline gpus --l1 16k

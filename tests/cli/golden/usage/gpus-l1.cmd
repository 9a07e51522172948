warpline gpus gtx480 --l1=64k

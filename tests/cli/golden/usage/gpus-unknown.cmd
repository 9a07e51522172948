warpline gpus gtx48

warpline gpus gtx480

warpline gpus

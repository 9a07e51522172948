warpline gpus a b

warpline gpus --l1 48k gtx480

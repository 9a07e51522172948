warpline gpus --markdown gtx480

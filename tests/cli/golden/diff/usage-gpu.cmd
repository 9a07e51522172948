warpline diff vadd vadd --gpu-b gtx999

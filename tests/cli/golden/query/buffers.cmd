warpline query vadd --of buffers

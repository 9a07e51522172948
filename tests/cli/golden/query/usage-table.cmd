warpline query vadd --of line

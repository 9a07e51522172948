warpline query vadd --sort -mises --of lines

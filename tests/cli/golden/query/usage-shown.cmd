warpline query vadd --columns lunch

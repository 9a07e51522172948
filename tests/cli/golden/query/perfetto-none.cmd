warpline query vadd 'launch==9' --perfetto -

warpline query vadd 'line==77'

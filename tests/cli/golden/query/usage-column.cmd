warpline query vadd 'kernle=~mm && line==9'

warpline query vadd 'kernel=~mm && line=9'

warpline query vadd 'bytes==4' --columns offset,kind,item_x --sort -offset,kind --top 5

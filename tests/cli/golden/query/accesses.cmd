warpline query vadd 'launch==1 && kind==write && item_x>=28'

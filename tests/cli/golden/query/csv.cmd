warpline query loops 'kind!=barrier && iteration<2' --format csv --columns group,item_x,kind,line,address,loops

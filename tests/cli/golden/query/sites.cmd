warpline query strided --of sites --columns site,kind,line,requests,misses,lanes_per_request,used_share --format csv

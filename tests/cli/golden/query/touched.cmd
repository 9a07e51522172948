warpline query strided 'launch==0' --of requests --gpu v100 --columns site,kind,address,bytes,lanes,bytes_touched,bytes_fetched --top 3

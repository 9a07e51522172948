warpline query vadd 'outcome==cold' --of requests --columns launch,sm,cycle,group,warp,address,lanes,outcome --top 4

warpline query vadd 'cycles>0' --of launches --columns launch,cycles,requests,miss_rate --sort -cycles

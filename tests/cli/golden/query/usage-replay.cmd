warpline query vadd --gpu nosuch; echo $?; warpline query vadd --perfetto x.json --l1 48k; echo $?; warpline query vadd --of launches --launch 1 --jobs 1 --columns launch,kernel

warpline query vadd --launch 9 --of launches

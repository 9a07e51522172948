warpline query tallied --of launches --launch 5000 --columns launch,fate

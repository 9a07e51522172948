warpline verify --json - incomplete; echo $?; warpline verify --json - manifest; echo $?; warpline verify --json - vadd

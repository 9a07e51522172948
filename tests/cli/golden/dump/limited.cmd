warpline dump limited; echo $?; warpline dump --launch 1 limited

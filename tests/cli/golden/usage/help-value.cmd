warpline --help=3; echo $?; warpline --version=3; echo $?; warpline info --help=3

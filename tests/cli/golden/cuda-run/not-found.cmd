warpline cuda-run ./nosuch; echo $?; touch plain; warpline cuda-run ./plain; echo $?; warpline cuda-run; echo $?

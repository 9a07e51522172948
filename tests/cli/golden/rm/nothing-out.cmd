warpline rm --keep --kernel vadd -o kept vadd; echo $?; warpline verify kept; warpline rm --keep --kernel vadd vadd; echo $?

warpline bypass --source --list argument:data strided

warpline bypass --launch 9 streaming

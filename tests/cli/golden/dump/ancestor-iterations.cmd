warpline dump --format ancestor --launch 0 far

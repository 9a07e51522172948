warpline dump --format ancestor --launch 1 atomics

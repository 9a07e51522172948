warpline dump loops

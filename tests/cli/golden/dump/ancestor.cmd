warpline dump --format ancestor loops

warpline dump --format ancestor wide

warpline dump --format ancestor atomics

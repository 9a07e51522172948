warpline dump --format ancestor deep

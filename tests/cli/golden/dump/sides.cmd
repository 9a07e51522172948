warpline dump --format json sides | sed -n 1,4p; warpline dump sides | sed -n 1,8p

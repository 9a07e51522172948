warpline dump --format=csv loops | sed -n 6p

warpline dump --format ancestor vadd 2>/dev/null | grep -n -e size -e -

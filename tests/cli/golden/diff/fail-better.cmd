warpline diff strided vadd --fail-above 0 --fail-by kernel | tail -n 1

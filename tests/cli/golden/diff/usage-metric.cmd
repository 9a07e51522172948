warpline diff vadd vadd --fail-above 1 --fail-on mises

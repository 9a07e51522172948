warpline diff vadd vadd --fail-above much

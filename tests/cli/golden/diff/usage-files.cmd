warpline diff vadd vadd --json a --csv a

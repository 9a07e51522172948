warpline diff vadd vadd --launch-b 1 --json -

warpline report --json - mixed

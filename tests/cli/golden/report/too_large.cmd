warpline report mixed

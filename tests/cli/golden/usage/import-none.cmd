warpline import

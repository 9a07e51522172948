warpline report strided

warpline diff incomplete incomplete

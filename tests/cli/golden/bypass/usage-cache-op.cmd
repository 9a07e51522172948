warpline bypass --cache-op cg streaming

warpline bypass --schedule fast streaming

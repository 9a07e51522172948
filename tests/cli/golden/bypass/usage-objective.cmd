warpline bypass --objective time streaming

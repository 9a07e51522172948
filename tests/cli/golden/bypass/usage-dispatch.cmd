warpline bypass --dispatch fast streaming

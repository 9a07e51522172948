warpline bypass --list site:x streaming

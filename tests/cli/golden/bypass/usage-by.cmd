warpline bypass --by sites streaming

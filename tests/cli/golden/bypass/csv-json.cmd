warpline bypass --csv - --json - streaming

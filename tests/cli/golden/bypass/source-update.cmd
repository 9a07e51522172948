warpline bypass --source --list site:0 updated

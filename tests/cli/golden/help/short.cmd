warpline -h

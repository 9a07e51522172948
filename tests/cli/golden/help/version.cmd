warpline --version

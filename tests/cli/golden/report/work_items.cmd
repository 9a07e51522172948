warpline report --schedule random:1 vadd

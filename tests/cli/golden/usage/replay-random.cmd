warpline replay --schedule random:seed vadd

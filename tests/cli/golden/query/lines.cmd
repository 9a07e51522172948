warpline query strided 'misses>0' --of lines --sort -misses

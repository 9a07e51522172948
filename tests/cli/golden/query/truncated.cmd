warpline query truncated 'kind==write' --top 2

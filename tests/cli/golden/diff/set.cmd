warpline diff varied varied --line-b 64 --set-b l1_sets=64 | head -n 4

warpline bypass --set l1_index=modulo --set l1_sets=1 --set l1_ways=4 --json a.json --csv a.csv -o a.list streaming | head -1; wc -l <a.csv; head -1 a.list; head -c 1 a.json

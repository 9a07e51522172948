warpline bypass --json a.txt --csv a.txt streaming; touch b; warpline bypass --csv b -o ./b streaming; warpline bypass --json /dev/null --csv /dev/null streaming | head -1

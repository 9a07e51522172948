warpline report --set sm_count=1 --set l1_sets=1 --set l1_ways=1 --top 1 streaming | grep -e ' SM' -e ' more' -e further
warpline report --set sm_count=1 --set l1_sets=1 --set l1_ways=1 --html - vadd | grep -o -e '[0-9]* SM.* lines* of' -e '<p>With .* on each SM'
warpline curve --set sm_count=1 vadd | grep 'SM has'
warpline report --top 1 --l1-sets 1 --l1-ways 1 mixed | grep further

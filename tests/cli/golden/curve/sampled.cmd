warpline curve --set sm_count=1 spread &&
warpline curve --set sm_count=1 --exact spread &&
warpline curve --set sm_count=1 -o - --format csv spread | grep '^full' | tail -n 3 &&
warpline curve --set sm_count=1 --json - spread | grep -m 3 -e exact_bytes -e _error &&
warpline report --set sm_count=1 --json - spread | grep -m 1 exact_lines &&
warpline replay --set sm_count=1 --stats distances spread

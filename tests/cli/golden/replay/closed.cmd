warpline replay --json out.json vadd >&-; echo "exit $?"; ls out.json*; warpline sweep --out out.csv vadd >&- 2>&- <&-; echo "exit $?"; ls out.csv*; warpline replay --json - vadd >&-; echo "exit $?"
warpline plot -o - --format csv vadd >/dev/full; echo "exit $?"; warpline plot -o - --format csv --what order vadd | wc -l

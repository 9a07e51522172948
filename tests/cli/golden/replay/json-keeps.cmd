echo older >out.json; head -c 90 vadd/launch-000001.wll >cut; cp cut vadd/launch-000001.wll
warpline replay --json out.json vadd >/dev/null; echo "exit $?"; cat out.json
(ulimit -f 1; warpline replay --json out.json --stats all loops >/dev/null; echo "exit $?"); cat out.json
(ulimit -f 1; warpline sweep --out out.json --l1-sets 1..512 --l1-ways 1..32 --set l1_index=modulo loops; echo "exit $?"); cat out.json
warpline sweep --out out.json --launch 7 loops; echo "exit $?"; cat out.json
warpline replay --json nowhere/out.json vadd | grep Launch
ls out.json*

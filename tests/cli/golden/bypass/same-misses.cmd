# One launch on one GPU has the same misses whatever command replays it; a line where it has not.
misses() { grep -m1 "\"$1\"" | tr -dc 0-9; }
for bandwidth in off on; do
	for gpu in gtx480 v100 mi210; do
		for data in loops strided reused varied; do
			set -- --gpu $gpu --bandwidth $bandwidth --launch 0 $data
			all="$(warpline replay --json - "$@" | misses read_misses)
$(warpline report --json - "$@" 2>&1 | misses read_misses)
$(warpline bypass --json - "$@" 2>/dev/null | misses misses)
$(warpline diff --json - "$@" $data | grep -A1 '"misses": {' | misses a)
$(warpline query --of launches --columns misses --format csv "$@" | tail -1)"
			[ "$(echo "$all" | sort -u | wc -l)" = 1 ] && [ -n "$(echo "$all" | head -1)" ] ||
				echo $gpu $bandwidth $data: $all
		done
	done
done

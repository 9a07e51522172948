#!/bin/sh
# What bypassing L1 would change: bypass.sh [-o DIR] [table|bfs]... (both; about ten minutes).
#
# table: all our programs on a GTX 480 with 16 KB of L1 and on a V100: bytes from L2, miss rate of L1
#        and estimated cycles with everything cached, with nothing, and with each kind of list that
#        `warpline bypass` makes, in Markdown; the lists of sites below.
# bfs:   breadth-first search of a graph of a million nodes in groups of 512 on a GTX 570: cycles for
#        each PI, with 16 and 48 KB of L1, as Li (2016, figures 5.5 and 5.8) measured them.
# DIR (build/bypass) keeps what `warpline bypass --csv` says. Needs a build: scripts/build.sh.
# ONLY=REGEX: only programs of such names; NODES=N: of the graph; SMS=N: of the
# GTX 570 that are played (3 of 15); JOBS=N.
set -eu
out=
[ "${1:-}" = -o ] && { mkdir -p "$2"; out=$(cd "$2" && pwd); shift 2; }
cd "$(dirname "$0")/.."
build=${BUILD_DIR:-build}
out=${out:-$build/bypass}
jobs=${JOBS:-$(nproc)}
sms=${SMS:-3}
nodes=${NODES:-1000000}
[ $# -gt 0 ] || set -- table bfs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# Programs of the table, with arguments.
programs() {
	cat <<-END
	gaussian
	lud
	srad
	streamcluster
	bfs --input both-ways --group 512
	bfs_masks --input both-ways
	table
	stride
	window
	matmul --size 128
	transpose --size 512
	stencil --size 64
	reduce
	inplace
	histogram
	gather --size 65536
	chase
	END
}

# record NAME OPTION APP ARGUMENT...
record() {
	name=$1 option=$2 app=$3
	shift 3
	"$build/warpline" record -q "$option" -o "$work/$name" -- "$build/apps/$app" "$@" >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2; exit 1; }
}

# bypass NAME CSV OPTION...: the report in $work/text.
bypass() {
	name=$1 csv=$2
	shift 2
	"$build/warpline" bypass "$work/$name" --jobs "$jobs" --csv "$csv" "$@" >"$work/text" 2>"$work/log" ||
		{ cat "$work/log" >&2; exit 1; }
}

# Of a CSV: NAME, then the sums over kernels of each list of the report in turn. Two lists that do the
# same may both have a name.
# shellcheck disable=SC2016 # awk
sums='
function add(row) {
	bytes[row] += value["bytes_from_l2"]; cycles[row] += value["cycles"]
	misses[row] += value["misses"]; reads[row] += value["reads"]
}
function part(sum, row) { return sum["cache-all"] ? sprintf("%.1f%%", 100 * sum[row] / sum["cache-all"]) : "-" }
function rate(row) { return reads[row] ? sprintf("%.1f%%", 100 * misses[row] / reads[row]) : "-" }
NR == 1 { count = cells($0, head); next }
{
	cells($0, cell)
	for (i = 1; i <= count; i++) value[head[i]] = cell[i]
	n = split(value["rows"], word, " ")
	for (i = 1; i <= n; i++) if (!seen[value["kernel"], word[i]]++) add(word[i])
	if (" " value["rows"] " " ~ / site /)
		lists = lists sprintf("%s%s %s", lists ? "; " : "", value["kernel"], value["list"])
}
END {
	n = split("bypass-all address address-merged site buffer warp hybrid", word, " ")
	line[1] = sprintf("| %s | from L2 | %.3f MB |", name, bytes["cache-all"] / 1e6)
	line[2] = sprintf("| | misses | %s |", rate("cache-all"))
	line[3] = sprintf("| | cycles | %d |", cycles["cache-all"])
	for (i = 1; i <= n; i++) {
		line[1] = line[1] " " part(bytes, word[i]) " |"
		line[2] = line[2] " " rate(word[i]) " |"
		line[3] = line[3] " " part(cycles, word[i]) " |"
	}
	for (i = 1; i <= 3; i++) print line[i]
	print name ": " lists >>(lists_file)
}'

table() {
	programs | grep -E "^(${ONLY:-.*})( |$)" >"$work/programs"
	while read -r app arguments; do
		# shellcheck disable=SC2086 # words
		record "$app" --kernel=. "$app" $arguments
	done <"$work/programs"
	for gpu in "gtx480 --l1 16k" "v100"; do
		printf '\n### %s\n\n' "$gpu"
		echo "| program | | cache-all | bypass-all | address | merged | site | buffer | warp | hybrid |"
		echo "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
		: >"$work/lists"
		while read -r app arguments; do
			csv=$out/$app-${gpu%% *}.csv
			# shellcheck disable=SC2086 # words
			bypass "$app" "$csv" --gpu $gpu
			awk -v name="$app" -v lists_file="$work/lists" "$(cat "scripts/csv.awk")$sums" "$csv"
		done <"$work/programs"
		printf '\nLists of sites:\n\n'
		sed 's/^/    /' "$work/lists"
	done
}

# The curve of the kernel that visits: PI, then of each L1 the miss rate, MB from L2 and cycles over
# those of cache-all, from the tables "PI bypassed misses rate bytes cycles gain" of the report.
curve() {
	awk '/^Kernel/ { kernel++ }
		kernel == 1 && $1 == "*" && NF == 8 { sub(/\*/, ""); best = "*" }
		kernel == 1 && NF == 7 && $1 ~ /^[0-9]+$/ {
			gsub(/,/, ""); pi[++n] = $1; rate[n] = $4; bytes[n] = $5; cycles[n] = $6
			mark[n] = best; best = "" }
		END { for (i = 1; i <= n; i++)
			printf "%d|%s|%.0f|%.1f%%%s\n", pi[i], rate[i], bytes[i] / 1e6,
				100 * cycles[i] / cycles[n], mark[i] }' "$work/text"
}

bfs() {
	for app in bfs bfs_masks; do
		record "$app-graph" --kernel="^bfs_(expand|visit)$" "$app" --input both-ways --group 512 --size "$nodes"
		for l1 in 16k 48k; do
			bypass "$app-graph" "$out/$app-pi-$l1.csv" --gpu gtx570 --l1 $l1 --sms "$sms" \
				--by warp
			curve >"$work/$l1.curve"
			grep 'warp: PI' "$work/text" | sed "s/^ */    $app, $l1: /" >>"$work/classes"
		done
		printf '\n%s, %s nodes, gtx570: kernel %s\n\n' "$app" "$nodes" \
			"$(awk '/^Kernel/ { sub(/,/, "", $2); print $2; exit }' "$work/text")"
		echo "| PI | 16 KB: miss rate | MB from L2 | cycles | 48 KB: miss rate | MB from L2 | cycles |"
		echo "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
		join -t '|' -1 1 -2 1 "$work/16k.curve" "$work/48k.curve" | sed 's/|/ | /g; s/^/| /; s/$/ |/'
	done
	printf '\n'
	cat "$work/classes"
}

for part in "$@"; do
	case $part in
	table | bfs) $part ;;
	*) echo "bypass.sh: no part '$part': table, bfs" >&2; exit 2 ;;
	esac
done

#!/bin/sh
# problems.sh [--update] [PAIR...]: what `warpline report` and `diff` say of the pairs of pairs.table,
# on each GPU, judged by five criteria:
#
#   1  the first finding on the fault names the rule and the line, and its advice has the right words
#   2  on the cure that finding is gone, and nothing notable is in its place
#   3  diff's headline says that the cure is better, and does not contradict itself
#   4  the promised saving is within a factor of 1.5 of what was saved
#   5  no cost is above what it is a share of, nor is the sum of costs
#
# Prints a row for each pair and GPU, "yes", "no" or "-" for each criterion, and why not. What fails must be
# listed in known.table, and what is listed there must fail, else it ends with 1. Of all pairs the table in
# docs/findings.md must be current; --update writes it, and drops from known.table what passes.
#
# From the environment: BUILD_DIR (default: build), PROBLEMS_GPUS (default: all four), PROBLEMS_DIR (for
# recordings and reports; default: BUILD_DIR/problems), PROBLEMS_KEEP=1 (replay the recordings that an
# earlier run left there).
# shellcheck disable=SC2317 # functions are called through each_pair
set -eu

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(cd "$here/../.." && pwd)
BUILD_DIR=$(cd "${BUILD_DIR:-build}" && pwd)
gpus=${PROBLEMS_GPUS:-v100 a100 h100 mi210}
work=${PROBLEMS_DIR:-$BUILD_DIR/problems}
warpline=$BUILD_DIR/warpline
document=$source_dir/docs/findings.md
export POCL_CACHE_DIR="${POCL_CACHE_DIR:-$BUILD_DIR/pocl-cache}"
is_update=
[ "${1:-}" != --update ] || { is_update=1; shift; }

fail() {
	echo "problems.sh: $*" >&2
	exit 1
}

# A line for each pair, its fields between tabs: kind, name, line, fault, cure, rule, must, not, saving, options, GPUs.
read_table() {
	awk -v wanted=" $* " -v gpus="$gpus" '
		function finish() {
			if (name != "" && (wanted == "  " || index(wanted, " " name " ")))
				printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", kind, name, v["line"], v["fault"],
					v["cure"], v["rule"], v["must"], v["not"], v["saving"], v["options"], v["gpus"]
		}
		/^#/ || NF == 0 { next }
		$1 == "pair" || $1 == "clean" {
			finish()
			kind = $1; name = $2
			v["line"] = name; v["fault"] = v["cure"] = v["rule"] = v["must"] = v["not"] = "-"
			v["saving"] = "yes"; v["options"] = "-q"; v["gpus"] = gpus
			next
		}
		{
			key = $1 == "run" ? "fault" : $1
			sub(/^[ \t]*[^ \t]+[ \t]+/, "")
			if (!(key in v)) { print "pairs.table:" NR ": unknown word " key > "/dev/stderr"; exit 1 }
			if (key == "gpus") gsub(/,/, " ")
			v[key] = $0
		}
		END { finish() }' "$here/pairs.table"
}

# record_one NAME PROGRAM WORD...: the recording NAME.data and what the program printed, NAME.out.
record_one() {
	to=$1 program=$2
	shift 2
	"$warpline" record -q --cuda opencl --spaces constant,local -o "$to.data" -- \
		"$BUILD_DIR/apps/$program" "$@" </dev/null >"$to.out" 2>"$to.err" ||
		fail "$to cannot be recorded: $(cat "$to.err")"
}

has_gpu() {
	case " $1 " in
	*" $2 "*) ;;
	*) return 1 ;;
	esac
}

# Run a function for each line of `pairs`, with its fields in variables.
each_pair() {
	while IFS='	' read -r kind name line fault cure rule must not saving options on; do
		"$@"
	done <pairs
}

record_pair() {
	# shellcheck disable=SC2086 # a command line
	record_one "$name.fault" $fault
	[ "$kind" = pair ] || return 0
	# shellcheck disable=SC2086
	record_one "$name.cure" $cure
	cmp -s "$name.fault.out" "$name.cure.out" ||
		fail "$name: fault and cure have different results: $(cat "$name.fault.out" "$name.cure.out")"
}

# The commands to run, one a line.
list_replays() {
	for gpu in $gpus; do
		has_gpu "$on" "$gpu" || continue
		echo "report $options --jobs 1 --gpu $gpu --json $name.$gpu.fault.json $name.fault.data"
		[ "$kind" = pair ] || continue
		echo "report $options --jobs 1 --gpu $gpu --json $name.$gpu.cure.json $name.cure.data"
		echo "diff $options --jobs 1 --gpu $gpu --json $name.$gpu.diff.json $name.fault.data $name.cure.data"
	done
}

# The number of the line that a report on the pair must name; 0: none.
marked_line() {
	if [ "$line" = none ]; then
		echo 0
	else
		grep -n "// fault: $line\$" "$here/${fault%% *}".c[lu] | cut -d: -f1
	fi
}

# "NAME GPU CRITERION VERDICT REASON" for each.
judge_pair() {
	for gpu in $gpus; do
		has_gpu "$on" "$gpu" || continue
		if [ "$kind" = pair ]; then
			number=$(marked_line)
			[ -n "$number" ] || fail "$name: no line has the comment '// fault: $line'"
			"$BUILD_DIR/tests/problems_judge" "$rule" "$number" "$must" "$not" "$saving" \
				"$name.$gpu.fault.json" "$name.$gpu.cure.json" "$name.$gpu.diff.json"
		else
			"$BUILD_DIR/tests/problems_judge" "$rule" "$name.$gpu.fault.json"
		fi >verdicts || fail "$name: no verdict for $gpu"
		sed "s/^/$name $gpu /" verdicts
	done
}

# The table for people, of what judge_pair() printed.
print_table() {
	awk '{
			key = $1 " " $2
			if (!(key in seen)) { seen[key] = 1; keys[++n] = key }
			verdict[key, $3] = $4
			if ($4 == "no") {
				reason = $0
				sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ /, "", reason)
				why[key] = why[key] (why[key] ? "; " : "  ") $3 ": " reason
			}
		}
		END {
			for (i = 1; i <= n; i++) {
				split(keys[i], part, " ")
				printf "%-16s %-6s", part[1], part[2]
				for (c = 1; c <= 5; c++)
					printf " %-3s", verdict[keys[i], c]
				print why[keys[i]]
			}
		}' judged
}

# Compare with known.table. With an argument, rows of it that fit nothing are no error.
compare_known() {
	awk -v gpus="$gpus" -v some="$1" '
		FILENAME != "judged" {
			if (/^#/ || NF == 0) next
			n = split($3, g, ",")
			for (i = 1; i <= n; i++) known[$1 " " g[i] " " $2] = 1
			next
		}
		{ verdict[$1 " " $2 " " $3] = $4 }
		$4 == "no" && !($1 " " $2 " " $3 in known) { print "not known: " $0; bad = 1 }
		END {
			for (key in known) {
				split(key, part, " ")
				if (!index(" " gpus " ", " " part[2] " ")) continue
				if (key in verdict && verdict[key] == "no") continue
				if (key in verdict) print "known.table lists what passes: " key
				else if (!some) print "known.table lists what is not there: " key
				else continue
				bad = 1
			}
			exit bad
		}' "$here/known.table" judged
}

# known.table without what passes.
update_known() {
	awk -v gpus="$gpus" '
		FILENAME == "judged" { verdict[$1 " " $2 " " $3] = $4; next }
		/^#/ || NF == 0 { print; next }
		{
			n = split($3, g, ",")
			left = ""
			for (i = 1; i <= n; i++)
				if (!index(" " gpus " ", " " g[i] " ") || verdict[$1 " " g[i] " " $2] == "no")
					left = left (left ? "," : "") g[i]
			if (left == "") next
			rest = $0
			sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", rest)
			printf "%-17s %s %-21s %s\n", $1, $2, left, rest
		}' judged "$here/known.table" >known.new
	cat known.new >"$here/known.table"
}

# The table of docs/findings.md: a row for each pair, a column for each GPU, with the criteria not met.
document_table() {
	awk -v gpus="$gpus" '
		BEGIN {
			n = split(gpus, g, " ")
			printf "| |"; for (i = 1; i <= n; i++) printf " %s |", toupper(g[i]); print ""
			printf "| --- |"; for (i = 1; i <= n; i++) printf " --- |"; print ""
		}
		!($1 in row) { row[$1] = 1; order[++rows] = $1 }
		{ there[$1, $2] = 1; all++ }
		$4 == "no" { fails[$1, $2] = fails[$1, $2] (fails[$1, $2] ? ", " : "") $3 }
		END {
			for (r = 1; r <= rows; r++) {
				printf "| `%s` |", order[r]
				for (i = 1; i <= n; i++) {
					key = order[r] SUBSEP g[i]
					printf " %s |", key in there ? (key in fails ? "not " fails[key] : "yes") : "-"
				}
				print ""
			}
		}' judged
}

# What is between the two marks of the document, or the document with another text there.
marks='<!-- problems.sh: begin -->
<!-- problems.sh: end -->'
begin=$(echo "$marks" | head -1) end=$(echo "$marks" | tail -1)

shown_table() {
	sed -n "/^$begin\$/,/^$end\$/p" "$document" | grep '^|'
}

update_document() {
	awk -v begin="$begin" -v end="$end" '
		$0 == begin { print; print ""; while ((getline row <"document.table") > 0) print row; print ""; skip = 1 }
		$0 == end { skip = 0 }
		!skip { print }' "$document" >document.new
	cat document.new >"$document"
}

[ -n "${PROBLEMS_KEEP:-}" ] || rm -rf "$work"
mkdir -p "$work/vendors" "$POCL_CACHE_DIR"
cd "$work"
# On POCL, whatever else is there.
echo libpocl.so.2 >vendors/pocl.icd
export OCL_ICD_VENDORS="$work/vendors" WARPLINE_CACHE="$BUILD_DIR/problems-cache"
unset OPENCL_LAYERS LD_PRELOAD
read_table "$@" >pairs
[ -s pairs ] || fail "pairs.table has none of: $*"
has_cuda=1
[ -e "$BUILD_DIR/apps/problems_cuda" ] || {
	has_cuda=
	echo "CUDA's pairs are left out: this build has no program of them"
	grep -v '	problems_cuda ' pairs >left || true
	mv left pairs
}
[ -n "${PROBLEMS_KEEP:-}" ] || each_pair record_pair
each_pair list_replays | xargs -P "$(nproc)" -L 1 "$warpline" >/dev/null
each_pair judge_pair >judged || exit 1
print_table | tee table
bad=0
is_all=
[ $# -gt 0 ] || [ -z "$has_cuda" ] || [ "$gpus" != "v100 a100 h100 mi210" ] || is_all=1
[ -z "$is_update" ] || [ -z "$is_all" ] || update_known
some=$*
[ -n "$has_cuda" ] || some=1
compare_known "$some" || bad=1
if [ -n "$is_all" ]; then
	document_table >document.table
	[ -z "$is_update" ] || update_document
	shown_table | cmp -s - document.table || {
		echo "docs/findings.md shows another table: bench/problems/problems.sh --update"
		bad=1
	}
fi
awk '$4 == "no" { no++ } $4 == "yes" { yes++ } END { print yes + 0 " of " yes + no " verdicts are yes" }' judged
exit $bad

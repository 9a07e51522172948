#!/bin/sh
# run_document.sh BUILD SOURCE FOLDER DOCUMENT: run the commands of DOCUMENT (of SOURCE), on copies of
# what prepare.sh made in FOLDER, as README.md says. Ends with 1 when any of them does not do what
# the document says of it.
set -u
build=$(realpath "$1") source=$(realpath "$2") folder=$(realpath "$3") document=$4
here=$(realpath "$(dirname "$0")")
[ -e "$folder/whole" ] || { echo "there is nothing to run on: prepare.sh was skipped"; exit 77; }
table=${NOT_RUN:-$here/not_run.table}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir "$work/read" "$work/place"
. "$here/environment.sh"
failed=0
: >"$work/used"

complain() { # LINE SENTENCE
	printf '%s:%s: %s\n' "$document" "$1" "$2"
	failed=1
}

# A command without the remark behind it, and with single blanks.
bare() {
	sed 's/ #.*//' "$1" | awk '{ sub(/\\$/, ""); printf "%s ", $0 }' | sed 's/  */ /g; s/ *$//'
}

# The reason in the table why a command is not run; nothing when it is.
reason_of() {
	awk -v document="$document" -v wanted="$1" -F ' [|] ' '
		/^(#|$)/ { next }
		{ command = $3; for (i = 4; i <= NF; i++) command = command " | " $i }
		$1 == document && command == wanted { print $2 }' "$table"
}

# What is not run is at least there.
check_unrun() { # LINE COMMAND
	first=${2%% *}
	case $first in
	./scripts/* | scripts/* | tests/* | bench/* | ./tests/* | ./bench/*)
		[ -x "$source/$first" ] || complain "$1" "$first: there is no such program" ;;
	esac
	printf '%s\n' "$2" >>"$work/used"
}

# Run the commands of a region one after another in this shell, each with the last one's status.
run_region() { # N LINE of each command, a line each
	status=0 answered=1
	while read -r n line <&3; do
		command=$(bare "$work/read/$n.cmd")
		[ "$command" != 'echo $?' ] && [ "$answered" = 0 ] &&
			complain "$last_line" "ends with $status: $last"
		answered=1
		if [ -n "$(reason_of "$command")" ]; then
			check_unrun "$line" "$command"
			status=0
			continue
		fi
		(exit "$status")
		eval "$(cat "$work/read/$n.cmd")" >"$work/got" 2>&1 </dev/null
		status=$? last=$command last_line=$line
		[ "$status" = 0 ] || answered=0
		[ "$answered" = 1 ] || cp "$work/got" "$work/said"
		[ -f "$work/read/$n.want" ] || continue
		sed -E -f "$here/normalise.sed" "$work/got" >"$work/got.same"
		sed -E -f "$here/normalise.sed" "$work/read/$n.want" >"$work/want.same"
		awk -f "$here/compare.awk" "$work/want.same" "$work/got.same" >"$work/why" || {
			complain "$line" "$command: $(cat "$work/why")"
			echo "--- what it prints:" && cat "$work/got"
		}
	done
	[ "$answered" = 1 ] || {
		complain "$last_line" "ends with $status: $last"
		cat "$work/said"
	}
	return $failed
}

awk -v out="$work/read" -f "$here/commands.awk" "$source/$document" >"$work/found" || exit 1
grep -E '^(unseen|bad) ' "$work/found" >"$work/complaints"
while read -r what line text; do
	printf '%s\n' "$text" >"$work/text"
	case $what in
	bad) complain "$line" "$text" ;;
	*) if [ -n "$(reason_of "$(bare "$work/text")")" ]; then
			bare "$work/text" >>"$work/used"
			echo >>"$work/used"
		else
			complain "$line" "looks like a command, and is none (see tests/docs/README.md): $text"
		fi ;;
	esac
done <"$work/complaints"

cp -R "$folder/files/." "$work/place"
cd "$work/place" || exit 1
for region in $(awk '$1 == "command" && $3 != last { last = $3; print $3 }' "$work/found"); do
	awk -v region="$region" '$1 == "command" && $3 == region { print $2, $4 }' "$work/found" >"$work/list"
	(run_region 3<"$work/list") || failed=1
done

# Rows of the table that no command is.
awk -v document="$document" -F ' [|] ' '
	/^(#|$)/ { next }
	$1 == document { command = $3; for (i = 4; i <= NF; i++) command = command " | " $i; print command }' \
	"$table" | sort -u >"$work/rows"
sort -u "$work/used" | comm -23 "$work/rows" - >"$work/stale"
[ ! -s "$work/stale" ] || {
	echo "$document: not_run.table has commands that the document has not:" && cat "$work/stale"
	failed=1
}
echo "$document: $(grep -c '^command' "$work/found") commands, $(grep -c . "$work/used") of them not run"
exit $failed

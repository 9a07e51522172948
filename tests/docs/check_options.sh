#!/bin/sh
# check_options.sh WARPLINE SOURCE DOCUMENT...: every option that a document names exists, and every option
# that exists is named in the reference, docs/commands/.
set -u
warpline=$(realpath "$1") source=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
shift 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir "$work/read"
commands=$(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p; s/^COMMAND_AS([a-z_]*, "\([a-z-]*\)",.*/\1/p' "$source/cli/commands/commands.def")

# "CMD --option" for each option of each command; of the program itself, "warpline --option".
for command in $commands; do
	"$warpline" help "$command" | grep -oE -e '(^|[^A-Za-z0-9-])--[a-z][a-z0-9-]*' |
		sed "s/^[^-]*--/$command --/"
	echo "$command --help"
done | LC_ALL=C sort -u >"$work/options"
printf 'warpline --%s\n' version help >>"$work/options"
sed -n 's/^NVCC_OPTION("\([^"]*\)",.*/nvcc --\1/p' "$source/cli/nvcc/nvcc_options.def" >>"$work/options"
[ -n "$commands" ] || { echo "no commands in cli/commands/commands.def"; exit 1; }

# The forms of commands that a document has: command lines, synopses, and code within the text. Text
# in paragraphs is joined, as code may go on in the next line.
forms_of() {
	rm -f "$work/read"/*
	awk -v out="$work/read" -f "$here/commands.awk" "$1" >"$work/found"
	awk '$1 == "command" { print $2 }' "$work/found" | while read -r n; do
		sed 's/ #.*//' "$work/read/$n.cmd" | awk '{ sub(/\\$/, ""); printf "%s ", $0 } END { print "" }'
	done
	awk '$1 == "synopsis" { sub(/^synopsis [0-9]+ /, ""); print }' "$work/found" |
		awk '/^ *warpline / { if (t) print t; t = "" } { t = t " " $0 } END { print t }'
	awk '/^ *(```|~~~)/ { fenced = !fenced; next } fenced { next }
		/^[ \t]*$/ || /^ *([-*+]|[0-9]+\.) / || /^[|#]/ { print text; text = "" }
		{ text = text " " $0 } END { print text }' "$1" |
		awk '{ n = split($0, part, "`"); for (i = 2; i <= n; i += 2) print part[i] }'
}

# Each option in a form, with the command whose it must be, or "any". What is behind " -- " is another
# program's.
cat >"$work/options.awk" <<'AWK'
{
	sub(/^ +/, "")
	sub(/ -- .*/, "")
	command = "any"
	n = split($0, word, /[^A-Za-z0-9_.\/-]+/)
	for (i = 1; i <= n; i++) {
		if (word[i] ~ /(^|\/)warpline$/) {
			command = word[i + 1] ~ /^[a-z]+(-[a-z]+)*$/ ? word[i + 1] : "warpline"
			if (command != "warpline")
				print "the-command", command
		} else if (word[i] ~ /^--[a-z]/) {
			print command, word[i]
		}
	}
}
AWK
failed=0
for document; do
	forms_of "$source/$document" | awk -f "$work/options.awk" | LC_ALL=C sort -u >"$work/named"
	while read -r command option; do
		case $command in
		the-command) grep -q "^$option --" "$work/options" && continue
			option="warpline $option" ;;
		any) grep -q -e "[a-z] $option\$" "$work/options" && continue
			grep -q -e "^$option " "$here/foreign_options.table" && continue ;;
		*) grep -qx -e "$command $option" "$work/options" && continue
			grep -qx "$command --.*" "$work/options" || continue # said above
			option="warpline $command $option" ;;
		esac
		echo "$document: there is no $option"
		failed=1
	done <"$work/named"
done

# What the reference must name, by the long name or the letter: each option of a command in the command's
# page, in what all commands share, or, of those that replay, in the page of replay.
reference=$source/docs/commands
for command in $commands; do
	[ "$command" != help ] || continue
	[ -e "$reference/$command.md" ] || { echo "docs/commands: there is no $command.md"; continue; }
	grep -q "(commands/$command.md)" "$source/docs/commands.md" || echo "docs/commands.md: it does not link to $command.md"
	set -- "$reference/$command.md" "$source/docs/commands.md"
	for page in replay record; do
		! grep -q "($page.md[#)]" "$reference/$command.md" || set -- "$@" "$reference/$page.md"
	done
	"$warpline" help "$command" | sed -nE 's/^ +(-([A-Za-z]), +)?(--[a-z][a-z0-9-]*).*/\3 \2/p' |
		while read -r option letter; do
			cat "$@" | grep -qE -e "$option([^a-z0-9-]|\$)" -e "[^a-z]-${letter:-NONE}[^a-z]" ||
				echo "docs/commands/$command.md: it does not name $option"
		done
done >"$work/unnamed"
cat "$work/unnamed"
[ ! -s "$work/unnamed" ] || failed=1
exit $failed

#!/bin/sh
# check_links.sh SOURCE: every file and heading that a Markdown document of ours links to is there.
set -u
cd "$1" || exit 1
failed=0 count=0

# The anchors of a document, as a reader makes them of headings: lower case, without marks, blanks as "-".
anchors() {
	sed -n 's/^##* *//p' "$1" | tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9_-]//g'
}

links=$(mktemp) && trap 'rm -f "$links"' EXIT
find . -name '*.md' -not -path './build*' -not -path './.git/*' | LC_ALL=C sort | while read -r document; do
	awk -v document="$document" '/^ *(```|~~~)/ { fenced = !fenced } fenced || /^(    |\t)/ { next }
		{ gsub(/`[^`]*`/, ""); while (match($0, /\]\([^)]*\)/)) {
			print document, FNR, substr($0, RSTART + 2, RLENGTH - 3); $0 = substr($0, RSTART + RLENGTH) } }' "$document"
done >"$links"
while read -r document line link; do
	case $link in
	http://* | https://* | mailto:*) continue ;;
	esac
	count=$((count + 1))
	file=${link%%#*}
	target=$document
	[ -z "$file" ] || target=$(dirname "$document")/$file
	if [ ! -e "$target" ]; then
		echo "$document:$line: there is no $file" && failed=1
	elif [ "$link" != "$file" ] && ! anchors "$target" | grep -qx -e "${link#*#}"; then
		echo "$document:$line: $target has no heading '${link#*#}'" && failed=1
	fi
done <"$links"
echo "$count links"
[ "$count" -gt 0 ] && exit $failed

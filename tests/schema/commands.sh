#!/bin/bash
# commands.sh WARPLINE MAKE_RECORDINGS CHECK_SCHEMA SOURCE: what each line of commands.table prints is
# what docs/json/NAME.schema.json says; each schema is of some line, and each command that has --json
# is in the table.
set -u
warpline=$(realpath "$1") maker=$(realpath "$2") check=$(realpath "$3") source=$(realpath "$4")
here=$(realpath "$(dirname "$0")")
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/work"
ln -s "$warpline" "$tmp/bin/warpline"
export PATH=$tmp/bin:$PATH LC_ALL=C TMPDIR=$tmp WARPLINE_GPUS=$source/gpus WARPLINE_GPU=gtx480
cd "$tmp/work" || exit 1
recordings=(vadd loops incomplete truncated atomics kernels far wide counted sides limited
	tallied streaming strided reused varied updated mixed)
"$maker" "${recordings[@]}" || exit 1

failed=0 count=0
fail() {
	echo "FAIL $*"
	failed=1
}

# check_line SCHEMA COMMAND: it may say that a recording is incomplete.
check_line() {
	local schema=$source/docs/json/$1.schema.json status=0
	bash -c "$2" >out 2>err || status=$?
	case $status in 0 | 1 | 3 | 5) ;; *) grep -q 'do not fit on' err || fail "$2: status $status: $(cat err)" ;; esac
	"$check" "$schema" $3 out >why 2>&1 || fail "$2: $(cat why)"
	[ -n "$3" ] || grep -q "^  \"schema\": \"$1/[0-9]*\"" out || fail "$2: does not say which schema it is of"
	count=$((count + 1))
}

while IFS='|' read -r name line; do
	name=${name// /}
	case $name in '#'* | '') continue ;; esac
	lines=
	case $name in *+) lines=--lines name=${name%+} ;; esac
	echo "$name" >>"$tmp/named"
	case $line in
	*@*) for r in "${recordings[@]}"; do check_line "$name" "${line//@/$r}" "$lines"; done ;;
	*) check_line "$name" "$line" "$lines" ;;
	esac
done <"$here/commands.table"

for file in "$source"/docs/json/*.schema.json; do
	name=$(basename "$file" .schema.json)
	[ "$name" = common ] || grep -qx "$name" "$tmp/named" || fail "$name.schema.json: is of no line of commands.table"
	grep -q "\"\$id\": \"urn:warpline:$name:[0-9]*\"" "$file" || fail "$file: has no \$id urn:warpline:$name:VERSION"
done
for name in $(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p; s/^COMMAND_AS([a-z_]*, "\([a-z-]*\)",.*/\1/p' "$source/cli/commands/commands.def"); do
	! warpline help "$name" | grep -q '^ *--json' || grep -qx "$name" "$tmp/named" ||
		fail "warpline $name --json: has no line in commands.table"
done
echo "$count documents"
[ "$count" -gt 50 ] && exit $failed

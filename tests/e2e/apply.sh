#!/bin/sh
# apply.sh DEVICE: a program with the loads of a bypass list changed does the same, and is recorded the same; a
# list that a recording keeps is applied by replay.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"

# Accesses without their addresses, which differ from run to run.
# places_of DIR: launch, group, item, site, file, line, kind, bytes, buffer, offset, loops.
places_of() {
	accesses_of "$1" | cut -d, -f1-10,12- >"$1.places"
}

record plain "$apps/matmul" --size 32
expect "the exit status" "$status" 0
untimed plain.out >plain.text
places_of plain

for list in all site:1 argument:A,warps:3 line:10; do
	dir=$(echo "$list" | tr ':,' '--')
	status=0
	timeout -k 5 400 "$warpline" record --apply "$list" -o "$dir" -- "$apps/matmul" --size 32 \
		>"$dir.out" 2>"$dir.err" || status=$?
	expect "the exit status with $list" "$status" 0
	untimed "$dir.out" >"$dir.text"
	cmp -s plain.text "$dir.text" || fail "with $list the program prints something else"
	places_of "$dir"
	cmp -s plain.places "$dir.places" || fail "with $list other accesses are recorded"
	grep -q -- '--apply' "$dir.err" && fail "with $list: $(cat "$dir.err")"
	info_of "$dir"
	case $list in
	site:1) want=1 ;;
	*) want="0 1" ;;
	esac
	expect "the sites changed by $list" "$(json "$dir.json" 'kernels.*.applied.*' | tr '\n' ' ' | sed 's/ $//')" "$want"
done
expect "the list kept" "$(tr '\n' ' ' <all/applied.txt)" "warpline bypass 1 all "

# What names nothing is said, and the program runs.
"$warpline" record --apply site:9,address:0x40,argument:D -o none -- "$apps/matmul" --size 32 >none.out 2>none.err
grep -q 'site 9 names no read' none.err || fail "site 9 is not named: $(cat none.err)"
grep -q 'argument D names no read' none.err || fail "argument D is not named: $(cat none.err)"
grep -q '1 of 3 rules are of addresses or buffers' none.err || fail "addresses are not named: $(cat none.err)"

# What is not understood stops before the program starts.
for bad in site:x nosuch.list; do
	status=0
	"$warpline" record --apply "$bad" -o bad -- sh -c 'echo ran' >bad.out 2>bad.err || status=$?
	[ "$status" -ne 0 ] && [ ! -s bad.out ] || fail "--apply $bad starts the program"
done

# The list of --bypass is that of every replay, until another is given.
printf 'warpline bypass 1\nkernel matmul\nsite 1\n' >kept.list
"$warpline" record --bypass kept.list -o kept -- "$apps/matmul" --size 32 >kept.out 2>kept.err
rm kept.list
info_of kept
expect "the rules kept" "$(json kept.json bypass.rules)" 1
for list in "" none site:1; do
	offline replay --gpu gtx480 ${list:+--bypass $list} kept >"replay-$list" 2>"replay-$list.err"
done
cmp -s replay- replay-site:1 || fail "the list that is kept is not applied"
cmp -s replay-none replay-site:1 && fail "--bypass none applies the list"
grep -q "the recording's bypass list is applied" replay-.err || fail "replay does not say that it applies a list"
[ ! -s replay-none.err ] || fail "--bypass none says something: $(cat replay-none.err)"
grep -q 'replay will refuse' kept.err && fail "a list that names a read is called none that replay takes"

# One that names what the recording has not is told at once, not at the first replay.
"$warpline" record --bypass argument:D -o other -- "$apps/matmul" --size 32 >other.out 2>other.err
grep -q "no kernel of .* has a read through an argument 'D'; replay will refuse" other.err ||
	fail "a list that replay refuses is kept without a word: $(cat other.err)"

# A list of kernels that did not run: `bypass` says so, and goes on.
printf 'warpline bypass 1\nkernel other\nall\n' >absent.list
"$warpline" record --bypass absent.list -o absent -- "$apps/matmul" --size 32 >absent.out 2>absent.err
offline bypass --by site absent >absent.text 2>absent.err || fail "bypass refuses the list that the recording keeps"
grep -q "has no kernel 'other'" absent.err || fail "bypass does not say that the list that is kept names nothing"
passed

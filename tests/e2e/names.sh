#!/bin/sh
# names.sh DEVICE: what recordings are called, under record and under an environment from `env`.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device "$1"
app="$apps/matmul --size 16"

# %n: the first free number; nothing is moved away.
for i in 1 2 3; do
	# shellcheck disable=SC2086 # a command
	status=0
	"$warpline" record -o 'run %n/rec-%n' $app >out 2>err || status=$?
	expect "the status without the folder" "$status" 2
	[ ! -s out ] || fail "the program ran: $(cat out)"
	grep -q '^warpline record: -o: .*/run 1: No such file or directory; expected a folder$' err ||
		fail "why? $(cat err)"
	# shellcheck disable=SC2086
	"$warpline" record -o 'run %%-%n' $app >out 2>err || fail "$(cat err)"
	grep -q "^warpline record: run %-$i\$" err || fail "another name: $(cat err)"
done
expect "recordings" "$(ls -d run*)" "$(printf 'run %%-%d\n' 1 2 3)"
expect "the exit status of each" "$(for r in run*; do offline info --json - "$r" >j; json j exit_status; done)" \
	"$(printf '0\n0\n0')"

# A folder that only the recorded process knows: it says so.
# shellcheck disable=SC2086
"$warpline" record -o '%p/rec' $app >out 2>err || fail "$(cat err)"
grep -q 'nothing is recorded: .*/rec: No such file' err || fail "why? $(cat err)"
grep -q '^warpline record: nothing was recorded: .*/rec: No such file' err ||
	fail "no last word: $(cat err)"
! grep -q 'no OpenCL call was seen' err || fail "calls were seen: $(cat err)"
status=0
# shellcheck disable=SC2086
"$warpline" record -o err/rec $app >out 2>no || status=$?
expect "the status with a file in the way" "$status:$(cat no)" \
	"2:warpline record: -o: $PWD/err: is not a folder"

# %p: that of the recorded process, which here is another than the one that was started.
"$warpline" record -o 'p-%p' sh -c "$app & echo \$! >pid; wait" >out 2>err || fail "$(cat err)"
[ -e "p-$(cat pid)/manifest.jsonl" ] || fail "no p-$(cat pid) but $(ls -d p-*)"
# shellcheck disable=SC2086
"$warpline" record -o 'at-%h' $app >out 2>err || fail "$(cat err)"
[ -e "at-$(uname -n)/manifest.jsonl" ] || fail "no at-$(uname -n) but $(ls -d at-*)"
# shellcheck disable=SC2086
"$warpline" record -o 'at-%h' $app >out 2>err || fail "$(cat err)"
[ -e "at-$(uname -n).old/manifest.jsonl" ] || fail "the older one is lost: $(ls -d at-*)"

# Processes of one command that begin at the same time each get their own, and all are reported.
"$warpline" record -o many sh -c "for i in 1 2 3 4; do $app & done; wait" >out 2>err || fail "$(cat err)"
expect "recordings" "$(ls -d many*)" "$(printf 'many\nmany.2\nmany.3\nmany.4')"
expect "reports" "$(grep -c '^warpline record: many' err)" 4
for r in many*; do
	offline info "$r" >info.out || fail "$r is not whole: $(cat info.out)"
	grep -q '^exit      0' info.out || fail "$r has no exit status"
done

# Temporary files go to /tmp when TMPDIR is of no use.
for dir in /nonexistent /dev/null ''; do
	# shellcheck disable=SC2086 # a command
	TMPDIR=$dir WARPLINE_CACHE=off "$warpline" record -o temporary $app >out 2>err ||
		fail "TMPDIR='$dir': $(cat err)"
	grep -q '^launches  1 seen, 1 recorded' err || fail "TMPDIR='$dir': $(cat err)"
done

# A path with a space: the layer alone, which the loader takes.
mkdir "sp ace"
for part in warpline libwarpline.so warpline-instrument; do
	ln "$BUILD_DIR/$part" "sp ace/$part" 2>/dev/null || cp "$BUILD_DIR/$part" "sp ace/$part"
done
(
	eval "$("sp ace/warpline" env -o "it's %n" --kernel 'mat|mul' --max-launches 1)"
	[ -z "${LD_PRELOAD:-}" ] || fail "LD_PRELOAD=$LD_PRELOAD"
	$app >out 2>err || fail "$(cat err)"
	$app >out 2>err || fail "$(cat err)"
	[ ! -s err ] || fail "somebody says: $(cat err)"
) || exit 1
for r in "it's 1" "it's 2"; do
	offline info --json - "$r" >j || fail "$r is not whole"
	expect "launches of $r" "$(json j launches_traced)" 1
	expect "the exit status of $r" "$(json j exit_status)" null
done
# The same by LD_PRELOAD and the layer, and a warning for what does not exist.
(
	eval "$("$warpline" env --groups 0)"
	export WARPLINE_KERNELS=x
	$app >out 2>err || fail "$(cat err)"
) || exit 1
expect "the warning" "$(cat err)" \
	"warpline: WARPLINE_KERNELS is not a variable of Warpline; the nearest is WARPLINE_KERNEL"
offline info warpline.data >info.out || fail "$(cat info.out)"
# A pattern that has no meaning.
# shellcheck disable=SC2086
(eval "$("$warpline" env)" && WARPLINE_DIR='a%z' $app >out 2>err) || fail "$(cat err)"
grep -q "nothing is recorded: WARPLINE_DIR: '%z' is not one of" err || fail "why? $(cat err)"
[ -z "$(ls -d a% a%z 2>/dev/null)" ] || fail "there is a recording"
passed

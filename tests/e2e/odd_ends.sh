#!/bin/sh
# odd_ends.sh: what record says, and how it ends, where something is in the way.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl
app="$apps/matmul --size 16"

# A cache folder that is not there is made, with those that it lies in; one that cannot be is named.
# shellcheck disable=SC2086 # a command
WARPLINE_CACHE=$work/a/b/c "$warpline" record -o cached $app >out 2>err || fail "$(cat err)"
[ -n "$(ls a/b/c)" ] || fail "nothing is kept: $(cat err)"
! grep -q 'not kept' err || fail "it was kept: $(cat err)"
# shellcheck disable=SC2086
WARPLINE_CACHE=$work/out/c "$warpline" record -o uncached $app >out2 2>err || fail "$(cat err)"
expect "sentences about the cache" \
	"$(grep -c 'instrumented programs are not kept: WARPLINE_CACHE: .*/out/c: Not a directory' err)" 1
grep -q '1 seen, 1 recorded' err || fail "nothing is recorded: $(cat err)"

# A recording that is removed while it is made: one sentence, and a status other than 0. That of a
# program that fails by itself stays.
for own in 0 7; do
	status=0
	"$warpline" record -o gone sh -c "$app && rm -r gone; exit $own" >out 2>err || status=$?
	expect "the status where the program's is $own" "$status" "$([ $own = 0 ] && echo 4 || echo $own)"
	expect "what is said" "$(cat err)" \
		'warpline record: gone/manifest.jsonl: No such file or directory'
done

# A launch inside the callback of a build: counted, and its kernel named.
record callback "$BUILD_DIR/tests/launches_in_callback"
expect "the program's end" "$status:$(cat callback.out)" "0:sum 240"
info_of callback
expect "launches" "$(json callback.json launches_seen)" 1
if [ "$(json callback.json launches_traced)" = 0 ]; then
	grep -q 'launches  1 seen, 0 recorded' callback.err || fail "another count: $(cat callback.err)"
	json callback.json skipped.0.reason | grep -q \
		'^double_all: first launched inside a callback of the driver' || fail "no reason"
fi

# Record of a record: the outer one says which has it.
"$warpline" record -o outer "$warpline" record -o inner $app >out 2>err || fail "$(cat err)"
grep -q '^warpline record: inner$' err || fail "the inner one has nothing: $(cat err)"
grep -q '^warpline record: nothing was recorded here: .* another warpline record .* in inner' err ||
	fail "the outer one says: $(cat err)"
! grep -q 'no OpenCL call' err || fail "the outer one says: $(cat err)"
# What a kill leaves among the temporary files goes with the next run; what still runs keeps its own.
mkdir tmp
cat >slow <<'END'
#!/bin/sh
echo $$ >begun
exec sleep 60
END
chmod +x slow
export TMPDIR=$work/tmp
WARPLINE_CACHE=off WARPLINE_INSTRUMENT=$work/slow "$warpline" record -o left \
	sh -c "echo \$\$ >pid; exec $app" >out 2>err &
recorder=$!
tries=0
while [ ! -s begun ]; do
	tries=$((tries + 1))
	[ "$tries" -lt 1500 ] || fail "the instrumenter is not run: $(cat err)"
	sleep 0.02
done
touch -d '2 hours ago' tmp/warpline-*
# shellcheck disable=SC2086
"$warpline" record -o beside $app >out2 2>err2 || fail "$(cat err2)"
expect "temporary files of those that run" "$(find tmp -mindepth 1 -maxdepth 1 | wc -l)" 2
kill -9 "$recorder" "$(cat pid)"
wait "$recorder" 2>/dev/null || true
tries=0
while [ -e "/proc/$(cat begun)" ]; do
	tries=$((tries + 1))
	[ "$tries" -lt 1500 ] || fail "the instrumenter outlives its program"
	sleep 0.02
done
touch -d '2 hours ago' tmp/warpline-*
# shellcheck disable=SC2086
"$warpline" record -o after $app >out2 2>err2 || fail "$(cat err2)"
expect "what is left of those that were killed" "$(ls tmp)" ''
unset TMPDIR

# An instrumenter that hangs is stopped, once for a program; its kernels run as they are, and are named.
cat >slow <<END
#!/bin/sh
echo begun >>$work/hung
exec sleep 1000
END
# shellcheck disable=SC2086
WARPLINE_CACHE=off WARPLINE_INSTRUMENT=$work/slow WARPLINE_INSTRUMENT_LIMIT=0.5 "$warpline" record -o hung.rec \
	$app >out2 2>err || fail "$(cat err)"
$app >out
untimed out >untimed
untimed out2 | diff untimed - || fail "another output"
grep -q 'matmul not recorded: .*/slow did not finish within 0.5 s' err || fail "$(cat err)"
expect "times that it was tried" "$(grep -c begun hung)" 1

# A program that drops its rights: where it may not make the recording, this alone is said; where it
# may, the recording is reported.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$work"
	mkdir -m 777 open cache
	for where in closed/rec open/rec; do
		mkdir -p closed
		status=0
		# shellcheck disable=SC2086
		POCL_CACHE_DIR=$work/cache WARPLINE_CACHE=off "$warpline" record -o $where \
			setpriv --reuid 65534 --clear-groups $app >out 2>err || status=$?
		expect "the status of a program without rights" "$status" 0
		! grep -q 'no OpenCL call' err || fail "$where: $(cat err)"
		case $where in
		closed/*) grep -q '^warpline record: nothing was recorded: .*Permission denied$' err ;;
		open/*) grep -q '1 seen, 1 recorded' err ;;
		esac || fail "$where: $(cat err)"
	done
	# Where it cannot even report that, it is not taken for a program without OpenCL.
	mkdir -m 700 private
	POCL_CACHE_DIR=$work/cache WARPLINE_CACHE=off TMPDIR=$work/private "$warpline" record \
		-o closed/rec setpriv --reuid 65534 --clear-groups $app >out 2>err
	! grep -q 'no OpenCL call' err || fail "a private TMPDIR: $(cat err)"
	grep -q 'others may not enter' err || fail "a private TMPDIR: $(cat err)"
fi
passed

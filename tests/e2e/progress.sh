#!/bin/sh
# progress.sh: the progress line is on a terminal only, and leaves the program's own text as it was.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl
command -v script >/dev/null || { echo "script is not installed"; exit 77; }

# until_shown TEXT FILE: wait until it is in the file, or for a minute.
cat >until_shown <<'END'
#!/bin/sh
for _ in $(seq 1200); do
	! grep -aq "$1" "$2" || exit 0
	sleep 0.05
done
END
# A program that launches, and goes on until it is shown, or for a while; its text is in two parts.
cat >program <<END
#!/bin/sh
printf 'first '
"$apps/matmul" --size 16
[ -z "\$SHOWN" ] || ./until_shown "\$SHOWN" typescript
[ "\$SHOWN" ] || sleep 2.5
echo last
END
chmod +x program until_shown

# When the last program on a pseudo-terminal ends, what has not been read from it is lost: hence this.
drained='s=$?; echo read $((6 * 7)); ./until_shown "read 42" typescript; exit $s'
# on_terminal ENVIRONMENT OPTION...: what comes out of a pseudo-terminal, in typescript.
on_terminal() {
	: >typescript
	script -qfec "stty rows 24 cols 100; env $1 '$warpline' record -o rec $2 ./program; $drained" \
		typescript </dev/null >/dev/null || fail "$(cat typescript)"
}
esc=$(printf '\033')

on_terminal 'TERM=xterm SHOWN=[a]ccesses/s' ''
grep -q "${esc}\[24;1H.*warpline: 1 of 1 launches, .* accesses/s, .*B${esc}8" typescript ||
	fail "no line: $(cat -v typescript)"
# Its row is given back before the report.
tr -d '\r' <typescript | grep -q "${esc}7${esc}\[r${esc}\[24;1H${esc}\[2K${esc}8.*warpline record: rec" ||
	fail "the row is not given back: $(cat -v typescript)"
# What is left without the escape sequences, and what they draw, is the text without a line.
on_terminal TERM=dumb ''
grep -q "accesses/s" typescript && fail "there is a line on a dumb terminal"
grep -q "$esc" typescript && fail "something is drawn on a dumb terminal"
on_terminal TERM=xterm -q
grep -q "$esc" typescript && fail "something is drawn with -q"

# Not a terminal: nothing.
TERM=xterm "$warpline" record -o rec ./program >out 2>err || fail "$(cat err)"
grep -q "$esc" out err && fail "something is drawn where there is no terminal"
# Only stdout is: nothing either.
: >typescript
script -qfec "TERM=xterm '$warpline' record -o rec ./program 2>err; $drained" typescript </dev/null >/dev/null
grep -q "$esc" typescript err && fail "something is drawn on standard output"

# Killed while the line is up: the row is given back, and the status tells of the signal.
cat >killed <<END
(./until_shown accesses/s typescript; kill -TERM "\$(cat pid)") &
SHOWN=status TERM=xterm sh -c 'echo \$\$ >pid; exec "$warpline" record -o rec ./program'
echo "status \$?"
END
: >typescript
script -qfec "stty rows 24 cols 100; bash killed; $drained" typescript </dev/null >/dev/null || true
grep -q 'status 143' typescript || fail "not killed: $(cat -v typescript)"
grep -q 'accesses/s' typescript || fail "no line: $(cat -v typescript)"
grep -q "${esc}\[r" typescript || fail "the row is lost: $(cat -v typescript)"
passed

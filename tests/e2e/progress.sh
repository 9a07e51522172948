#!/bin/sh
# progress.sh: the progress line is on a terminal only, and leaves the program's own text as it was.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl
command -v script >/dev/null || { echo "script is not installed"; exit 77; }

# A program that launches, and goes on for long enough to be shown; its text is in two parts.
cat >program <<END
#!/bin/sh
printf 'first '
"$apps/matmul" --size 16
sleep \${SECONDS_MORE:-2.5}
echo last
END
chmod +x program

# When the last program on a pseudo-terminal ends, what has not been read from it is lost: hence this.
drained='s=$?; sleep 0.5; exit $s'
# on_terminal ENVIRONMENT OPTION...: what comes out of a pseudo-terminal, in typescript.
on_terminal() {
	script -qec "stty rows 24 cols 100; env $1 '$warpline' record -o rec $2 ./program; $drained" \
		typescript </dev/null >/dev/null || fail "$(cat typescript)"
}
esc=$(printf '\033')

on_terminal 'TERM=xterm SECONDS_MORE=4' ''
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
script -qec "TERM=xterm '$warpline' record -o rec ./program 2>err; $drained" typescript </dev/null >/dev/null
grep -q "$esc" typescript err && fail "something is drawn on standard output"

# Killed while the line is up: the row is given back, and the status tells of the signal.
cat >killed <<END
TERM=xterm '$warpline' record -o rec ./program &
sleep 2
kill -TERM \$!
wait \$!
echo "status \$?"
END
script -qec "stty rows 24 cols 100; bash -m killed; $drained" typescript </dev/null >/dev/null || true
grep -q 'status 143' typescript || fail "not killed: $(cat -v typescript)"
if grep -q 'accesses/s' typescript; then
	grep -q "${esc}\[r" typescript || fail "the row is lost: $(cat -v typescript)"
fi
passed

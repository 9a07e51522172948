#!/bin/sh
# What the recorder must leave alone: exit statuses, output, arguments, the user's files.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

# Exit statuses are the program's; 127 and 126 for one that cannot be started; a signal is 128+n.
record seven sh -c 'exit 7'
expect "the status of exit 7" "$status" 7
record usage "$apps/matmul" --size none
expect "the status of wrong usage" "$status" 2
record absent "$work/no-such-program"
expect "the status of an absent program" "$status" 127
: >not-executable
record plain "$work/not-executable"
expect "the status of a plain file" "$status" 126
record killed sh -c 'kill -TERM $$'
expect "the status of a killed program" "$status" 143

# Arguments and standard streams go through as they are.
record words printf '%s|' 'two words' '' '*'
expect "the output" "$(cat words.out)" 'two words||*|'
echo input | "$warpline" record -o streams -- sh -c 'cat; echo error >&2' >out 2>err
expect "standard output" "$(cat out)" input
grep -q '^error$' err || fail "standard error is lost"

# A program that makes no OpenCL call leaves no recording, and the user is told.
record idle true
expect "the status of true" "$status" 0
[ ! -e idle ] || fail "there is a recording of nothing"
grep -q "no OpenCL call" idle.err || fail "nobody was told: $(cat idle.err)"
record idle sh -c "exit 3"
expect "the status of exit 3" "$status" 3
passed

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

# A program that makes no OpenCL call has an empty recording, and a whole one.
record idle true
expect "the status of true" "$status" 0
info_of idle
expect "launches_seen" "$(json idle.json launches_seen)" 0
expect "accesses" "$(json idle.json accesses)" 0
expect "complete" "$(json idle.json complete)" true
passed

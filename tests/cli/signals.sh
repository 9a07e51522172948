#!/bin/bash
# signals.sh WARPLINE: commands that a signal ends in the middle leave nothing half made, and the status
# is 128 + the signal. They are made to wait for a gnuplot that sleeps. What comes to `record` goes to
# its program, once, and is reported like any other end.
set -u
warpline=$(realpath "$1")
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
mkdir bin work
printf '#!/bin/sh\ntouch ../drawing\nexec sleep 300\n' >bin/gnuplot
chmod +x bin/gnuplot
failed=0
fail() {
	echo "FAIL $*"
	failed=1
}

# wait_for FILE: until it is there.
wait_for() {
	for _ in $(seq 6000); do
		[ ! -e "$1" ] || return 0
		sleep 0.02
	done
	fail "$1 does not come"
}

# ends_with SIGNAL NUMBER PID WHAT: end it so, and look what is left but what was there.
ends_with() {
	local status=0
	kill -s "$1" "$3"
	wait "$3" || status=$?
	[ "$status" = $((128 + $2)) ] || fail "$4: the status after SIG$1 is $status"
	[ "$(ls -A work)" = "$kept" ] || fail "$4: SIG$1 leaves $(ls -A work)"
}

head -c 8192 /dev/zero >addresses
"$warpline" import --format u64 -o rec addresses || fail "the import fails"
echo old >work/old.png
kept=old.png
# without job control a background command would ignore SIGINT; whoever starts us (nohup) may ignore more
for signal in "INT 2" "TERM 15" "HUP 1"; do
	set -- $signal
	rm -f drawing
	(cd work && PATH=$tmp/bin:$PATH exec env --default-signal=INT,TERM,HUP "$warpline" plot -o old.png ../rec) &
	wait_for drawing
	ends_with "$1" "$2" $! plot
	[ "$(cat work/old.png)" = old ] || fail "plot: the old picture is gone"
done

# A program that counts the signals that it gets; "end" ends it, with status 7.
cat >counter <<'END'
#!/bin/bash
trap 'echo "$$" >signalled; count=$((count + 1))' "$1"
count=0
echo $$ >begun
for ((i = 0; i < 15000; i++)); do
	[ ! -e end ] || break
	sleep 0.02
done
echo "$count times"
exit 7
END
chmod +x counter
export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
default=(env --default-signal=INT,QUIT,TERM,HUP,USR1,USR2)

# is_gone PID: no process of that number is left but a zombie.
is_gone() {
	[ ! -e "/proc/$1/stat" ] || grep -q ' Z ' "/proc/$1/stat"
}

# report_of STATUS PID WHAT: `record` ends so, has reported, and its program is gone.
report_of() {
	local status=0
	wait "$2" || status=$?
	[ "$status" = "$1" ] || fail "$3: the status is $status, expected $1"
	grep -q '^warpline record: no OpenCL call was seen' err || fail "$3: no report: $(cat err)"
	is_gone "$(cat begun)" || fail "$3: the program goes on"
}

for row in "TERM 15" "HUP 1" "INT 2" "QUIT 3" "USR1 10" "USR2 12"; do
	set -- $row
	# the program has a handler, and goes on
	rm -f begun signalled end
	"${default[@]}" "$warpline" record -o seen ./counter "$1" >out 2>err &
	wait_for begun
	kill -s "$1" $!
	wait_for signalled
	touch end
	report_of 7 $! "SIG$1, handled"
	[ "$(cat out)" = "1 times" ] || fail "SIG$1 came $(cat out)"
	# it has none
	rm -f begun end
	"${default[@]}" "$warpline" record -o seen sh -c 'ulimit -c 0; echo $$ >begun; exec sleep 300' >out 2>err &
	wait_for begun
	kill -s "$1" $!
	report_of $((128 + $2)) $! "SIG$1, not handled"
done

# What the program sends to its parent does not come back to it.
rm -f begun end
"${default[@]}" "$warpline" record -o seen sh -c 'echo $$ >begun; kill -USR1 $PPID; sleep 0.2; exit 7' >out 2>err &
report_of 7 $! "SIGUSR1 of the program itself"

# Ctrl-C is sent to all by the terminal: the program has it once. The shell between (any: $SHELL) lives on.
if command -v script >/dev/null; then
	rm -f begun signalled end
	rm -f said ended
	# what is said goes into a file: of a pseudo-terminal that ends, what is not read yet is lost
	(wait_for begun && printf '\003' && wait_for signalled && sleep 0.3 && touch end && wait_for ended) |
		"${default[@]}" script -qec "trap : INT; '$warpline' record -o seen ./counter INT >said 2>&1; echo status \$? >>said; touch ended" typescript >/dev/null
	for want in '^1 times' '^status 7' '^warpline record: no OpenCL call'; do
		grep -q "$want" said || fail "Ctrl-C: no '$want': $(cat said; cat -v typescript)"
	done
fi

exit $failed

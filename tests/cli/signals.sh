#!/bin/bash
# signals.sh WARPLINE: commands that a signal ends in the middle leave nothing half made, and the status
# is 128 + the signal. They are made to wait for a gnuplot that sleeps.
set -u
warpline=$(realpath "$1")
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
mkdir bin work
printf '#!/bin/sh\ntouch ../drawing\nexec sleep 20\n' >bin/gnuplot
chmod +x bin/gnuplot
failed=0
fail() {
	echo "FAIL $*"
	failed=1
}

# wait_for FILE: until it is there.
wait_for() {
	for _ in $(seq 1500); do
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

exit $failed

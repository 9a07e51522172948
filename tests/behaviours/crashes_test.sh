#!/bin/sh
# Whether crashes.sh tells our crashes from the driver's. The program ends by a signal in each n-th run
# without us; with us in the first run, and in each m-th after it. 0: never.
set -eu
. "$(dirname "$0")/crashes.sh"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"
want_status=0

cat >program <<'END'
#!/bin/sh
n=$(($(cat "runs${WITH_US:-}" 2>/dev/null || echo 0) + 1))
echo $n >"runs${WITH_US:-}"
eval "every=\${EVERY${WITH_US:-}}"
from=${WITH_US:+1}
[ "$every" -eq 0 ] || [ $(((n - ${from:-0}) % every)) -ne 0 ] || kill -ABRT $$
echo done
END
chmod +x program

fail() {
	echo "failed: $*"
	exit 1
}

# says WITHOUT WITH SENTENCE: what comes of a program and of its recorded runs.
says() {
	rm -f runs*
	(EVERY=$1 EVERY_US=$2 && export EVERY EVERY_US && run native ./program && run mode env WITH_US=_US ./program &&
		[ "$(cat native.out) $(cat mode.out)" = 'done done' ] && echo fine) >said 2>&1 || true
	grep -q -e "$3" said || {
		echo "where each $1. run ends and with us each $2.: expected '$3', got: $(cat said)"
		exit 1
	}
}
says 0 0 '^fine$'
says 3 0 '^fine$'
says 1 0 'failed: native: each of 15 runs'
# The first and each further run: 3 of 3 is no chance.
says 0 1 'failed: mode: of 3 runs 3 end by a signal, without us 0'
# As often with us as without: in 15 runs after the first each 2nd, which are 7 and 8.
says 2 2 'mode: ended by a signal, and of 15 further runs 7, without us 8'
says 2 2 '^fine$'
says 3 1 'failed: mode: of [0-9]* runs'
# A crash in the first run with us alone is what a race of the driver looks like. What that run has
# recorded is gone before the next.
cat >program <<'END'
#!/bin/sh
[ -z "${WITH_US:-}" ] || mkdir mode || exit 1
[ -z "${WITH_US:-}" ] || [ -e ended ] || { : >ended; kill -ABRT $$; }
echo done
END
says 0 0 'mode: ended by a signal, and of 15 further runs 0, without us 0'
says 0 0 '^fine$'

# Other failures are not crashes, nor is a signal that is wanted.
printf '#!/bin/sh\nexit 3\n' >program
run mode env ./program
[ "$status" -eq 3 ] || fail "status $status, expected 3"
printf '#!/bin/sh\nkill -ABRT $$\n' >program
want_status=134
run mode env ./program
[ "$status" -eq 134 ] || fail "status $status, expected 134"

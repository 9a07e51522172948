#!/bin/sh
# debian13.sh [CTEST-OPTION...]: the README's two commands on a bare Debian 13: a clone of HEAD, in a system of its own
# below build-debian13/, runs quickstart.sh, then test.sh with these options (`-L unit`: some of the tests; `-N`: none).
#
# The system is made once, by debootstrap; what is installed in it stays for the next run. Exits with 77 if it cannot be
# made: without root, debootstrap or a network. What is mounted for it is so only for its own processes.
set -eu
cd "$(dirname "$0")/.."
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
root=$PWD/build-debian13/root

skip() {
	echo "debian13.sh: skipped: $*"
	exit 77
}
[ "$(id -u)" -eq 0 ] || skip "it needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
unshare --mount true 2>/dev/null || skip "nothing can be mounted here"

if [ ! -x "$root/usr/bin/apt-get" ] || [ -e "$root/debootstrap" ]; then
	wget -q -T 20 -O /dev/null "$mirror/dists/trixie/Release" || skip "$mirror cannot be reached"
	rm -rf "$root"
	mkdir -p "$root"
	echo "debian13.sh: debootstrap, to build-debian13/debootstrap.log"
	debootstrap --variant=minbase trixie "$root" "$mirror" >build-debian13/debootstrap.log 2>&1 || {
		tail -5 build-debian13/debootstrap.log >&2
		exit 1
	}
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Proxies and the like.
apt-config dump | grep '^Acquire::[^ ]* "..*"' >"$root/etc/apt/apt.conf.d/99host" || true

rm -rf "$root/src"
git clone -q --no-local . "$root/src"
# POCL asks /sys for the processor.
# shellcheck disable=SC2016 # for the inner shell
exec unshare --mount sh -c '
	root=$1
	shift
	for place in proc sys dev; do mount --rbind /$place "$root/$place"; done
	run() {
		echo "== $*"
		chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			sh -c "cd /src && exec \"\$@\"" sh "$@"
	}
	run scripts/quickstart.sh && run scripts/test.sh "$@"' sh "$root" "$@"

#!/bin/sh
# llvm_version.sh: print which LLVM is built with: $LLVM_VERSION if it is set; else 19 or 22, the first that is
# installed, else the first that the system's packages have. Fails with a sentence where there is neither.
set -eu
cd "$(dirname "$0")/.."
supported=$(sed -n 's/^set(WARPLINE_LLVM_VERSIONS \(.*\))/\1/p' llvm.cmake) # the first is the default

for version in ${LLVM_VERSION:-$supported}; do
	if [ -n "${LLVM_VERSION:-}" ] || command -v "llvm-config-$version" >/dev/null; then
		echo "$version"
		exit
	fi
done
for version in $supported; do
	if apt-cache policy "llvm-$version-dev" 2>/dev/null | grep -q 'Candidate: [0-9]'; then
		echo "$version"
		exit
	fi
done
echo "llvm_version.sh: LLVM is not installed, and the packages of this system have none of the versions $supported (on Ubuntu, universe has them)" >&2
exit 1

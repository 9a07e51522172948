# The Debian packages: built, judged by lintian, and used from where they were unpacked.
# shellcheck shell=sh
. "$SOURCE_DIR/tests/e2e/lib.sh"
for tool in cpack dpkg-deb dpkg-shlibdeps; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done

cpack -G DEB --config "$BUILD_DIR/CPackConfig.cmake" -B "$work/debs" >cpack.log 2>&1 || fail "cpack: $(tail -3 cpack.log)"
version=$(sed -n 's/^project(warpline .*VERSION \([0-9.]*\).*/\1/p' "$SOURCE_DIR/CMakeLists.txt")
packages="libwarpline-replay-dev libwarpline-replay1 warpline warpline-data"
expect "the packages" "$(cd debs && for deb in *.deb; do dpkg-deb -f "$deb" Package; done | sort | tr '\n' ' ')" "$packages "
for package in $packages; do
	deb=$(echo debs/"$package"_"$version"-*.deb)
	dpkg-deb -x "$deb" root
	case $(dpkg-deb -f "$deb" Version) in
	"$version"-*) ;;
	*) fail "$package is of version $(dpkg-deb -f "$deb" Version)" ;;
	esac
	for file in copyright changelog.Debian.gz; do
		[ -s "root/usr/share/doc/$package/$file" ] || fail "$package has no $file"
	done
done
dpkg-deb -f debs/warpline_*.deb Depends >depends
for library in "clang-$LLVM_VERSION" libc6 "libllvm$LLVM_VERSION" "libclang1-$LLVM_VERSION" libzstd1 libxxhash0 libjansson4 "warpline-data (= $version-"; do
	grep -qF -- "$library" depends || fail "warpline does not depend on $library but on $(cat depends)"
done
[ -d root/usr/share/man ] && find root/usr/share/man -type f ! -name '*.gz' | grep . && fail "pages that are not compressed"
for binary in root/usr/bin/warpline root/usr/lib/warpline/* root/usr/lib/warpline/cuda/* root/usr/lib/*/libwarpline-replay.so.1; do
	[ -z "$(nm "$binary" 2>/dev/null)" ] || fail "$binary is not stripped"
done

if command -v lintian >/dev/null; then
	lintian --fail-on error,warning debs/*.deb >lintian.log 2>&1 || fail "lintian: $(cat lintian.log)"
fi

# It runs from there.
warpline=$work/root/usr/bin/warpline
unset WARPLINE_GPUS
"$BUILD_DIR/tests/make_recordings" vadd || fail "make_recordings"
"$warpline" replay vadd --gpu gtx480 --json got.json >/dev/null || fail "replay"
expect "version" "$(json got.json warpline)" "$version"
"$work/root/usr/lib/warpline/warpline-instrument" --version | grep -qF "$version" || fail "warpline-instrument"
# CUDA programs are compiled with what it brings, and run on the libraries that it brings.
cp "$SOURCE_DIR/docs/examples/transpose.cu" .
"$warpline" nvcc -o transpose transpose.cu || fail "nvcc"
LD_LIBRARY_PATH=$work/root/usr/lib/warpline/cuda ldd ./transpose | grep -q 'not found' && fail "a library is missing"
PKG_CONFIG_PATH=$(dirname root/usr/lib/*/pkgconfig/warpline-replay.pc)
export PKG_CONFIG_PATH
expect "what pkg-config says" "$(pkg-config --cflags --libs warpline-replay | tr -d ' ')" "-lwarpline-replay"
# shellcheck disable=SC2046
gcc root/usr/share/doc/libwarpline-replay-dev/examples/replay_lines.c -o lines \
	$(pkg-config --define-variable=prefix="$work/root/usr" --cflags --libs warpline-replay) || fail "gcc"
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") ./lines vadd gtx480 | grep -q '^launch 0, vadd: 4 misses$' || fail "the example"
passed

#!/bin/sh
# An instrumented program is made once and then taken from the cache, with the same recording.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

cat >instrument <<EOF
#!/bin/sh
echo started >>"$work/starts"
exec "$BUILD_DIR/warpline-instrument" "\$@"
EOF
chmod +x instrument
export WARPLINE_INSTRUMENT="$work/instrument" WARPLINE_CACHE="$work/cache"
mkdir cache
: >starts

# record DIR OPTION...: and how often the instrumenter was started up to now.
record() {
	dir=$1
	shift
	"$warpline" record -o "$dir" "$@" -- "$apps/transpose" --size 16 >/dev/null 2>&1 ||
		fail "recording $dir"
	starts=$(wc -l <starts)
}

# The first start finds the names that the device is asked about, whose answers are kept, too.
record first
expect "starts for the first recording" "$starts" 2
record second
expect "starts with the program cached" "$starts" 2
"$warpline" dump first >first.txt
"$warpline" dump second >second.txt
expect "lines of the second" "$(grep -c . second.txt)" "$(grep -c . first.txt)"

record counted --count
expect "starts for another kind of records" "$starts" 3
touch -d '2001-01-01' instrument
record third
expect "starts for another instrumenter" "$starts" 5

# A damaged entry is none.
for entry in cache/*.wlcache; do
	echo x >>"$entry"
done
record fourth
expect "starts after damage" "$starts" 7
record fifth
expect "starts after its repair" "$starts" 7
WARPLINE_CACHE=off
record sixth
expect "starts without a cache" "$starts" 9
passed

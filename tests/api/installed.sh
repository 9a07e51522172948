# The installed program and library, moved elsewhere, without a look at the build tree; but for the
# recordings and an application to record, which are the tests' own.
# shellcheck shell=sh
. "$SOURCE_DIR/tests/e2e/lib.sh"

DESTDIR=$work/root cmake --install "$BUILD_DIR" --prefix /usr >install.log 2>&1 || fail "cmake --install: $(tail -3 install.log)"
mv root/usr moved
[ -z "$(find root -type f)" ] || fail "DESTDIR is not honoured: $(find root -type f)"
prefix=$work/moved
warpline=$prefix/bin/warpline
libdir=$(dirname "$(find "$prefix/lib" -name libwarpline-replay.so)")
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
unset WARPLINE_GPUS

# --- names: what is exported is the list, and the headers declare it ------------------------------
sed -n 's/^\t\(warpline_[a-z0-9_]*\);$/\1/p' "$SOURCE_DIR/api/replay_symbols.map" | sort >listed
nm -D --defined-only "$libdir/libwarpline-replay.so" | sed -n 's/.* T \([^@]*\).*/\1/p' | sort >exported
nm -D --defined-only "$libdir/libwarpline-replay.so" | grep -v ' [TA] ' >odd && fail "exported: $(cat odd)"
nm -g --defined-only "$libdir/libwarpline-replay.a" | sed -n 's/.* \([A-Z]\) \([^ ]*\)$/\2/p' | sort >archived
grep -hv '^#' "$prefix"/include/warpline_replay*.h | tr '\n' ' ' | grep -o 'WARPLINE_API [^;]*' |
	sed 's/(.*//; s/.*[ *]//' | sort >declared
for names in exported archived declared; do
	diff listed $names || fail "names that are $names are not those of the list"
done
[ "$(wc -l <listed)" -ge 30 ] || fail "the list of names is short"
objdump -p "$libdir/libwarpline-replay.so" | grep -q 'SONAME  *libwarpline-replay.so.1$' || fail "soname"

# Columns keep their numbers.
sed -n 's/^WARPLINE_COLUMN(\([a-z0-9_]*\), *\([0-9]*\),.*/\1 \2/p' "$prefix/include/warpline_replay_columns.def" >columns
grep -v '^#' "$SOURCE_DIR/tests/api/columns_1.table" >promised
[ "$(wc -l <promised)" -ge 58 ] || fail "the list of columns is short"
grep -vxF -f columns promised && fail "columns have other numbers, or are gone"
[ -z "$(cut -d' ' -f2 columns | sort | uniq -d)" ] || fail "a number has two columns"

# The manual has each setting with its default.
sed -n 's/^WARPLINE_SETTING(\([a-z_]*\), *"\([^"]*\)".*/| `\1` | `\2` |/p' "$SOURCE_DIR/api/warpline_replay_settings.def" >settings
[ "$(wc -l <settings)" -ge 9 ] || fail "settings"
while read -r row; do
	grep -qF -- "$row" "$SOURCE_DIR/docs/embedding.md" || fail "docs/embedding.md has no $row"
done <settings

# --- compilers ------------------------------------------------------------------------------------
flags=$(pkg-config --cflags --libs warpline-replay) || fail "pkg-config"
example=$prefix/share/doc/warpline/examples/replay_lines.c
strict="-Wall -Wextra -Werror -pedantic"
# shellcheck disable=SC2086
{
	gcc -std=c99 $strict "$example" $flags -o lines-gcc || fail "gcc"
	gcc -std=c11 $strict "$SOURCE_DIR/tests/api/table_values.c" $flags -o values || fail "gcc, C11"
	"clang-$LLVM_VERSION" -std=c11 $strict "$example" $flags -o lines-clang || fail "clang"
	if command -v g++ >/dev/null; then
		g++ -std=c++11 $strict -x c++ "$example" $flags -o lines-cxx || fail "g++"
	fi
	gcc -std=c11 $strict "$example" $(pkg-config --cflags warpline-replay) -o lines-static \
		"$libdir/libwarpline-replay.a" $(pkg-config --static --libs warpline-replay |
		sed 's/-lwarpline-replay//') || fail "the archive"
}
ldd lines-static | grep libwarpline && fail "the archive was not used"
cmake -S "$(dirname "$example")" -B project -DCMAKE_PREFIX_PATH="$prefix" >project.log 2>&1 &&
	cmake --build project >>project.log 2>&1 || fail "find_package: $(tail -3 project.log)"

# --- the numbers are those of the program ---------------------------------------------------------
"$BUILD_DIR/tests/make_recordings" streaming mixed atomics || fail "make_recordings"
# compare FOLDER SETTING...: as --set, and as the library's
compare() {
	folder=$1
	shift
	sets=
	for key in "$@"; do sets="$sets --set $key"; done
	# shellcheck disable=SC2086
	"$warpline" replay "$folder" --gpu gtx480 $sets --stats lines,buffers,arguments,sets --json got.json \
		>got.out 2>&1 || :
	while read -r table path columns; do
		[ "$path" != . ] || path=
		for column in $columns; do
			json got.json "launches.*.$path$column" >want
			./values "$folder" gtx480 "$table" "$column" "$@" >got || fail "values $folder $table $column"
			cmp -s want got || fail "$folder: $path$column: $(paste want got | head -3)"
		done
	done <<-END
		0 . index cycles instructions requests unmapped_lanes kernel
		0 l1. reads read_misses cold conflict writes atomics evictions bytes_to_l2 stall_cycles
		1 sites.*. site line column kind requests read_hits pending_hits lanes
		2 stats.lines.*. site file line requests read_misses uses bytes_used
		3 stats.buffers.*. buffer requests lines bytes_moved
		4 stats.arguments.*. argument name requests read_misses
		5 stats.sets.*. set requests conflict
		6 sms.*. sm groups requests read_misses
	END
}
compare streaming l1_sets=1 l1_ways=4 l1_index=modulo
compare mixed l1_ways=2
compare atomics l1_sets=4 l1_index=modulo
"$warpline" replay streaming --gpu gtx480 --set l2=on --json got.json >/dev/null
[ "$(json got.json 'launches.*.l2.read_misses')" = "$(./values streaming gtx480 7 read_misses l2=on)" ] || fail "L2"
[ "$(json got.json 'launches.*.dram.bytes_read')" = "$(./values streaming gtx480 8 bytes_read l2=on)" ] || fail "DRAM"

for program in lines-gcc lines-clang lines-cxx lines-static project/replay_lines; do
	[ -e "$program" ] || continue
	# The archive does not know where the program will lie: it is told.
	WARPLINE_GPUS=$prefix/share/warpline/gpus ./$program streaming gtx480 l1_ways=1 >"$program.out" || fail "$program"
	cmp lines-gcc.out $program.out || fail "$program says something else"
done
[ -s lines-gcc.out ] || fail "the example says nothing"

# --- one version ----------------------------------------------------------------------------------
version=$(sed -n 's/^project(warpline .*VERSION \([0-9.]*\).*/\1/p' "$SOURCE_DIR/CMakeLists.txt")
expect "warpline --version" "$("$warpline" --version)" "warpline $version"
expect "warpline-instrument --version" "$("$prefix/lib/warpline/warpline-instrument" --version)" "warpline-instrument $version"
expect "the version of pkg-config" "$(pkg-config --modversion warpline-replay)" "$version"
expect "the header's version" "$(sed -n 's/.*_VERSION_TEXT "\(.*\)"/\1/p' "$prefix/include/warpline_replay_version.h")" "$version"
expect "the version in JSON" "$(json got.json warpline)" "$version"
grep -q "^## \[$version\]" "$SOURCE_DIR/CHANGELOG.md" || fail "CHANGELOG.md has no $version"
for page in "$prefix"/share/man/man*/*; do
	[ ! -e "$page" ] || zcat -f "$page" | grep -q "^\.TH.*arpline $version" || fail "$page is of another version"
done

# --- record and replay from elsewhere -------------------------------------------------------------
use_device pocl
mkdir elsewhere && cd elsewhere
record here.data "$apps/transpose" --size 32
expect "the status of record" "$status" 0
info_of here.data
expect "accesses" "$(json here.data.json accesses)" $((2 * 32 * 32))
expect "the version that recorded" "$(json here.data.json recorded_by)" "$version"
"$warpline" replay here.data --json got.json >/dev/null || fail "replay"
expect "lanes" "$(json got.json total.lanes)" $((2 * 32 * 32))
"$warpline" gpus | grep -q v100 || fail "GPUs are not found"
cd ..

# --- nothing says where it was built --------------------------------------------------------------
if [ -n "${IS_RELEASE-}" ]; then
	# With a folder of theirs behind it: the place may have a short name, as /warpline.
	folders="build|$(cd "$SOURCE_DIR" && find . -maxdepth 1 -type d -name '[a-z]*' | cut -c3- | paste -sd '|')"
	for place in "$SOURCE_DIR" "$BUILD_DIR"; do
		place=$(printf %s "$place" | sed 's/[].*+?(){}|^$\\[]/\\&/g')
		LC_ALL=C grep -arlE "(^|-[IL]|[^A-Za-z0-9_./>-])$place/($folders)([^A-Za-z0-9_.-]|\$)" "$prefix" >paths &&
			fail "places of the build are in: $(cat paths)"
	done
fi
passed

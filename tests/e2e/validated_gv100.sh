#!/bin/sh
# validated_gv100.sh: scripts/validate.sh gv100 leaves out what is not there, with a sentence each, and of what
# is there it prints the figures of a replay beside those that are published.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl
rows=$(grep -c '^[^#]*,[A-Za-z0-9_]*,[0-9]' "$SOURCE_DIR/bench/published/gv100.csv")

# Nothing is there.
PROGRAMS=$work/nowhere "$SOURCE_DIR/scripts/validate.sh" -o "$work/out" gv100 >table 2>errors ||
	fail "without programs it ends with $?: $(cat errors)"
expect "sentences" "$(grep -c ': left out: there is no ' errors)" "$rows"
expect "rows" "$(wc -l <out/gv100.csv)" 1

# Each published kernel has a program, and a command that begins with it.
"$SOURCE_DIR/scripts/validate.sh" -o "$work/out" gv100-programs >programs || fail "gv100-programs ends with $?"
grep '^[^#]*,[A-Za-z0-9_]*,[0-9]' "$SOURCE_DIR/bench/published/gv100.csv" | cut -d, -f2 | while read -r kernel; do
	grep -q "^$kernel " programs || fail "$kernel is not among the programs"
done

# A program of ours stands in for Parboil's.
mkdir -p recordings
"$warpline" record -q -o recordings/mysgemmNT.data -- "$apps/matmul" --size 64 --group 16x16 >log 2>&1 || fail "not recorded"
RECORDINGS=$work/recordings ONLY=mysgemmNT "$SOURCE_DIR/scripts/validate.sh" -o "$work/out" gv100 >table ||
	fail "with a recording it ends with $?"
offline replay recordings/mysgemmNT.data --gpu v100 --l2 on --json replay.json >replay.out || fail "no replay"
for key in l1.sectors_hit l1.sectors_missed l1.write_sectors_hit l1.write_sectors_missed l2.sectors_hit \
	l2.sectors_missed l2.write_sectors_hit l2.write_sectors_missed dram.sectors_read dram.sectors_written l2.bytes_left; do
	json replay.json "total.$key"
done | awk '{ v[NR] = $1 } END { for (i = 1; i <= 9; i++) printf "%.1f;", v[i]; printf "%.1f\n", v[10] - v[11] / 32 }' >want
expect "figures" "$(sed -n 's/^mysgemmNT;//p' out/gv100.csv | cut -d ';' -f 11-)" "$(cat want)"
expect "published" "$(sed -n 's/^mysgemmNT;//p' out/gv100.csv | cut -d ';' -f 1-10)" \
	"$(grep ,mysgemmNT, "$SOURCE_DIR/bench/published/gv100.csv" | cut -d , -f 3- | tr , ';')"
expect "rows of the tables" "$(grep -c '^mysgemmNT ' table)" 2

# Of a program the kernel of that name alone is recorded, by its name in C or C++: 32 work-items read 128 bytes,
# 4 sectors; each of the others' reads a sector of its own.
mkdir -p bin
{
	for name in srad2 srad _Z4sradPKfPf _Z5srad2PKfPf; do
		echo "// run: $name 32 32 : float[1024]=zero float[32]=zero"
	done
	for name in srad2 srad _Z4sradPKfPf _Z5srad2PKfPf; do
		case $name in *2*) step=32 ;; *) step=1 ;; esac
		printf 'kernel void %s(global const float *in, global float *out)\n{\n' "$name"
		printf '	out[get_global_id(0)] = in[get_global_id(0) * %s];\n}\n' "$step"
	done
} >bin/srad.cl
printf '#!/bin/sh\nexec %s %s\n' "$BUILD_DIR/tests/run_kernels" "$work/bin/srad.cl" >bin/srad
chmod +x bin/srad
PROGRAMS=$work/bin ONLY=srad "$SOURCE_DIR/scripts/validate.sh" -o "$work/out" gv100 >table 2>errors ||
	fail "with a program it ends with $?: $(cat errors)"
expect "sectors that srad reads" "$(awk -F ';' '$1 == "srad" { printf "%.1f", $12 + $13 }' out/gv100.csv)" 4.0
passed

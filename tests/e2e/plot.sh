#!/bin/sh
# Pictures of a recorded transposition: which access comes when, by hand, and whole files.
. "$SOURCE_DIR/tests/e2e/lib.sh"

use_device pocl
record rec "$apps/transpose" --size 8 --group 8x8
expect "the recorded exit status" "$status" 0

# plot_numbers ORDER: order, element and work-item of each access, reads first.
plot_numbers() {
	"$warpline" plot rec --schedule "$1" -o - --format csv | awk -F, 'NR > 1 && $2 == "read" { print $3, $4, $8 }
	    NR > 1 && $2 == "write" { writes[n++] = $3 " " $4 " " $8 } END { for (i = 0; i < n; i++) print writes[i] }' | sort -n
}

# Work-item i reads element i and then writes element (i % 8) * 8 + i / 8.
awk 'BEGIN { for (i = 0; i < 64; i++) { print 2 * i, i, i; print 2 * i + 1, i % 8 * 8 + int(i / 8), i } }' >sequential.hand
# All read, in the order of their numbers, before the first one writes: the same for warps.
awk 'BEGIN { for (i = 0; i < 64; i++) print i, i, i
	for (i = 0; i < 64; i++) print 64 + i, i % 8 * 8 + int(i / 8), i }' >roundrobin.hand
for order in sequential roundrobin lrr; do
	hand=$order
	[ $order = lrr ] && hand=roundrobin
	plot_numbers $order >$order.out
	diff $hand.hand $order.out >diff.out || fail "$order is not what is expected: $(head -4 diff.out)"
done
# At random, each work-item still reads before it writes, and each access is there once.
plot_numbers random:7 >random.out
awk '{ seen[$3]++ == 0 ? first[$3] = $2 : second[$3] = $2 }
	END { for (i = 0; i < 64; i++) if (seen[i] != 2 || first[i] != i || second[i] != i % 8 * 8 + int(i / 8)) exit 1 }' random.out ||
	fail "random:7: an access is not there once, or a write comes before its read"
cmp -s random.out sequential.out && fail "random:7 is sequential"

# Where a dot is several accesses wide, those at the ends of what is chosen are cut off exactly.
record more "$apps/transpose" --size 32 --group 16x16
accesses() { "$warpline" plot more -o - --format csv "$@" | awk -F, 'NR > 1 { sum += $7 } END { print sum }'; }
expect "accesses in all dots" "$(accesses)" 2048
expect "accesses 1001 to 1800" "$(accesses --from 1001 --to 1800)" 800
# An order of work-items is that of the launch: the first 512 accesses are all of the first group,
# and not of all groups at once, as when four SMs work.
groups() { "$warpline" plot more -o - --format csv --to 511 --colour group "$@" | awk -F, 'NR > 1 { print $8 }' | sort -u | tr '\n' ' '; }
expect "groups of the first accesses" "$(groups --schedule sequential)" "0 "
expect "groups of the first accesses on four SMs" "$(groups --schedule sequential --set sm_count=4)" "0 1 2 3 "

command -v gnuplot >/dev/null || { echo "gnuplot is not installed"; exit 77; }
for format in png svg pdf; do
	"$warpline" plot rec -o "a.$format" || fail "no $format"
done
sleep 1 # the date
for format in png svg pdf; do
	"$warpline" plot rec -o "b.$format" || fail "no second $format"
	# Later versions of cairo pack the date with other objects.
	[ $format != pdf ] || ! grep -aq /ObjStm a.pdf || continue
	cmp "a.$format" "b.$format" || fail "two $format of the same launch differ"
done
expect "the head of the PNG" "$(head -c 8 a.png | od -An -tx1 | tr -d ' ')" 89504e470d0a1a0a
expect "the width of the PNG" "$(od -An -j16 -N4 -tu1 a.png | awk '{ print ((($1 * 256 + $2) * 256 + $3) * 256 + $4 > 800) }')" 1
expect "the head of the PDF" "$(head -c 5 a.pdf)" %PDF-
grep -q '</svg>' a.svg || fail "the SVG has no end"
expect "panels of the SVG" "$(grep -c '<image ' a.svg)" 2
grep -q 'kernel transpose, launch 0: 8x8 work-items' a.svg || fail "the SVG has no title"
# What the script draws by itself is the picture.
"$warpline" plot rec -o a.gp
gnuplot -d a.gp >c.png 2>/dev/null || fail "gnuplot does not take the script"
cmp a.png c.png || fail "the script draws another picture"

# Each kind, drawn twice.
for folder in one two; do
	mkdir $folder
	"$warpline" plot more --what all -o $folder/p.svg || fail "not all kinds are drawn"
done
for kind in order curve reuse sets warps; do
	cmp one/p-$kind.svg two/p-$kind.svg || fail "two SVG of $kind differ"
	grep -q 'more: kernel transpose, launch 0: 32x32 work-items in groups of 16x16' one/p-$kind.svg || fail "$kind has no title"
	grep -q 'GTX 480' one/p-$kind.svg || fail "$kind does not name the GPU"
done

# Names are text. (A launch of this size has a file of its own, which version 3 had, too.)
"$warpline" record -q --groups 0..3 -o named -- "$apps/transpose" --size 256 --group 16x16 >/dev/null ||
	fail "a larger transposition is not recorded"
sed -i "s/\"name\":\"transpose\"/\"name\":\"it's\\\\\\\\';system 'touch owned'\`touch owned\`\\\\nsystem 'touch owned'\\\\n<b>{\/x @y}\"/g; s/\"version\":[0-9][0-9]*/\"version\":3/; s/,\"sum\":\"[^\"]*\"//" named/manifest.jsonl
for format in png svg pdf; do
	"$warpline" plot named -o "'; touch owned; '.$format" || fail "no $format of a kernel with an odd name"
done
"$warpline" plot named --what all -o "'; touch owned; '.svg" || fail "not all kinds are drawn of a kernel with an odd name"
"$warpline" plot named --what sets --by kernel -o kernels.svg || fail "sets are not drawn of a kernel with an odd name"
[ ! -e owned ] || fail "a name was obeyed"
grep -qF "kernel it's\\';system 'touch owned'\`touch owned\`\\x0asystem" ./*owned*.svg || fail "the name is not in the picture"
passed

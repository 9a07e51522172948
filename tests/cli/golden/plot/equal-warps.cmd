# `plot --what warps`: its requests are those of `replay --stats windows` with windows as long, their lanes the replay's lanes, and the lanes of instructions the recorded accesses.
drawn() { warpline plot --what warps -o - --format csv "$@" >csv; awk -F, 'NR > 1 && $5 { q[$1] += $5 } END { for (c in q) print c, q[c] }' csv | sort -n; }
told() { warpline replay --stats windows --window $(awk -F, 'NR == 2 { print $2 }' csv) "$@" | tr -d , | awk 'NF > 1 && $(NF - 1) == "cycles" && $NF ~ /[.][.]/ { split($NF, at, "[.]"); print at[1], $3 }'; }
try() { drawn "$@" >drawn; told "$@" >told; cmp drawn told; warpline replay "$@" --json - >json; echo "$*: $(wc -l <told) columns, lanes $(awk -F, 'NR > 1 { i += $3 * $4; r += $3 * $5 } END { print i, r }' csv) = $(grep -m1 '"lanes"' json)"; }
for r in streaming strided reused varied; do try $r; done
try --launch 2 mixed; try --launch 2 --gpu v100 mixed; try --schedule lwf:64 varied; try --schedule gto --l2 on strided
warpline plot --what warps --window 100 -o - --format csv strided | awk -F, 'NR > 1 { print $1 % 100, $2 }' | sort -u

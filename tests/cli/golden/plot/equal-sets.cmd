# The sums of `plot --what sets` are the rows of `replay --stats sets`: set, requests, misses.
drawn() { warpline plot --what sets -o - --format csv "$@" | awk -F, 'NR > 1 { q[$3] += $5; m[$3] += $7 } END { for (s in q) print s, q[s], m[s] }' | sort -n; }
told() { warpline replay --stats sets --top 0 "$@" | tr -d , | awk '/^Total/ { exit } NF > 1 && $(NF - 1) == "set" { q[$NF] += $3; m[$NF] += $1 } END { for (s in q) print s, q[s], m[s] }' | sort -n; }
try() { drawn "$@" >drawn; told "${@#--by=kernel}" >told; cmp drawn told && echo "$*: $(wc -l <told) sets, $(awk '{ q += $2; m += $3 } END { print q, m }' told)"; }
for r in streaming strided reused varied; do try $r; done
try --launch 2 mixed; try --launch 2 --schedule gto --dispatch breadth --l1-sets 8 --index modulo --l1-ways 1 mixed; try varied --read-only site:0 --l1-sectors 32; try varied --bypass site:0
try --set l1_sets=128 --set l1_ways=1 --index xor varied
warpline plot --what sets --by kernel -o - --format csv mixed | awk -F, 'NR > 1 { q[$3] += $5; m[$3] += $7 } END { for (s in q) print s, q[s], m[s] }' | sort -n >drawn
for l in 0 1 2 3; do warpline replay --launch $l --stats sets --top 0 mixed; done | tr -d , | awk 'NF > 1 && $(NF - 1) == "set" { q[$NF] += $3; m[$NF] += $1 } END { for (s in q) print s, q[s], m[s] }' | sort -n >told
cmp drawn told && wc -l <told

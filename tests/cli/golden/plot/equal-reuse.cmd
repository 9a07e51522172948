# `plot --what reuse` shows what `replay --stats reuse,distances` tells, of all launches together.
drawn() { warpline plot --what reuse -o - --format csv "$@" | awk -F, '$2 == "distance" || $2 == "uses" { if ($5) print $1, $3, $5 } $2 == "cold" || $2 == "taken" { if ($5) print $1, $2, $5 } $1 == "left" { if ($5) print "left", $2, $5 }' | sort; }
told() { warpline replay --stats reuse,distances "$@" | tr -d , | awk '
	/By further uses/ { part = "lines" } /they left:/ { part = ""; n[1] = "replaced"; split($0, word, /[^0-9]+/); print "left replaced", word[2]; print "left written", word[3]; print "left atomic", word[4]; print "left invalidated", word[5]; print "left end", word[6] }
	/By reuse distance/ { part = "d" } $1 == "all" { part = "" }
	part == "lines" && $1 ~ /^[0-9]/ { split($1, at, "[.]"); print "lines", at[1], $2 }
	part == "d" && $1 == "cold" { print "sm cold", $2; print "set cold", $4 } part == "d" && $1 == "taken" { print "sm taken", $4; print "set taken", $6 }
	part == "d" && $1 ~ /^[0-9]/ { split($1, at, "[.]"); print "sm", at[1], $2; print "set", at[1], $4 }' | awk '{ s[$1 " " $2] += $3 } END { for (k in s) if (s[k]) print k, s[k] }' | sort; }
try() { drawn "$@" >drawn; told "$@" >told; diff drawn told && echo "$*: $(wc -l <told) rows, $(awk '$1 == "sm" { n += $3 } END { print n }' told) reads"; }
for r in streaming strided reused varied updated mixed atomics; do try $r; done
try --launch 2 mixed; try --l1-ways 1 --l1-sets 64 mixed; try --schedule gto --gpu v100 mixed; try vadd --bypass site:0

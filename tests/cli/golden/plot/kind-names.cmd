# Names from a recording are text in every kind.
sed -i 's/"name":"vadd"/"name":"it'\'';system \\"touch owned\\"`touch owned`@x \\\\n {\/Big y}\\n\\u001b\\u009b<b>\&é%d"/; s/"version":[0-9][0-9]*/"version":3/; s/,"sum":"[^"]*"//' vadd/manifest.jsonl; mv vadd "b'\$(touch owned){Big rec}"
for w in curve reuse sets warps "sets --by kernel"; do warpline plot --what $w --launch 0 -o - --format gp b\'* | grep -a 'touch'; done; warpline plot --what sets --by kernel -o - --format csv b\'* | head -2; ls -p | grep -v / | grep owned

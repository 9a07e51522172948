# Names from a recording are text, whatever is in them.
sed -i 's/"name":"vadd"/"name":"it'\'';system \\"touch owned\\"`touch owned`@x \\\\n {\/Big y}\\n\\u001b\\u009b<b>\&é%d"/; s/"name":"a"/"name":"a'\''\\nsystem '\''touch owned"/; s/"version":[0-9][0-9]*/"version":3/; s/,"sum":"[^"]*"//' vadd/manifest.jsonl
warpline plot -o - --format gp vadd | grep -a 'label\|title\|touch'; warpline plot --format gp -o "it's
\$(touch owned).png" vadd; ls -p | grep -v /

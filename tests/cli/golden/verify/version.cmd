sed "1s/\"version\":[0-9]*/\"version\":9/" vadd/manifest.jsonl >x; head -c 300 x | head -1 | cut -c1-70; cp x vadd/manifest.jsonl; warpline verify vadd; echo $?

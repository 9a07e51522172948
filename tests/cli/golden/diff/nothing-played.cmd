warpline import --format u64 -o none /dev/null 2>/dev/null; mkdir none; head -n 1 vadd/manifest.jsonl >none/manifest.jsonl; warpline diff none none --fail-above 5

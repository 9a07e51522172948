sed -i -E '/^\{"type":"(launch|fate)"/d' strided/manifest.jsonl; warpline diff vadd strided --fail-above 5

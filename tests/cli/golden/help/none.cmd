warpline; echo $?; mkdir warpline.data; touch warpline.data/manifest.jsonl; warpline

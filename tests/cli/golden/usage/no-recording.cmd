# What is no recording: nothing, a name near to one, a file, one in a recording, a folder, a folder that holds one.
mkdir empty home; cp -r vadd home/warpline.data; cp -r vadd newer; sed -i '1s/"version":[0-9]*/"version":99/' newer/manifest.jsonl; echo text >afile; for d in nowhere vad afile vadd/manifest.jsonl empty home newer; do warpline info $d; echo $?; done

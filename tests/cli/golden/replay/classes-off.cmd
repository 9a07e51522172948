# All but the classes is what a replay with classes tells.
warpline replay loops --gpu v100 --classes off >off; warpline replay loops --gpu v100 --classes on >on; diff on off | grep -c classified; diff <(grep -vE "cold|coherence|capacity|conflict" on) <(grep -v classified off) && cat off

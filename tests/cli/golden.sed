s/^(warpline )[0-9]+\.[0-9]+\.[0-9]+$/\1VERSION/
s/^(made by   warpline )[0-9]+\.[0-9]+\.[0-9]+$/\1VERSION/
s/("warpline": )"[^"]*"/\1"VERSION"/
s/("file_bytes": )[0-9]+/\1BYTES/
s/^(on disk   )[0-9,]+ bytes.*/\1BYTES/
s/^( +[0-9]+  [a-z]+ +[0-9x]+ +[0-9x]+ +[0-9,]+ +)[0-9,]+(  groups .*)?$/\1BYTES\2/
s/^(time      )[0-9.]+ s for the program/\1TIME for the program/
s/warpline-seen-[A-Za-z0-9]{6}/warpline-seen-ID/
s/, [0-9,]+ bytes, ([0-9.]+ s on the device)/, BYTES, \1/
s/none of these [0-9]+ files/none of these N files/
s|^  /[a-z/]*bin/|  BIN/|
s/\b(clang(\+\+)?)-[0-9]+/\1-LLVM/g

warpline record -o out make_recordings --here limited; echo $?; warpline info out | sed -n "/^launches/,/^complete/p"

warpline record -o out make_recordings --here lost; warpline info out | sed -n "/^launches/,/^complete/p"; warpline info --json - out | grep -E "(recorder|instrument|driver)_ns|room_"

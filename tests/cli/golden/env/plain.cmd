warpline env -o "my dir/it's %n" --kernel "a'b|c d" --skip 2 --duration 0.5 --any-device

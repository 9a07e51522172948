warpline import --format u64 list.din; echo $?; printf "%s" "12345678" | warpline import --format u64 /dev/stdin

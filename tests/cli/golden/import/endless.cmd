for format in din u64 ancestor; do timeout 200 warpline import --format $format /dev/zero -o out; echo $?; yes '0 10' | timeout 200 warpline import --format $format /dev/stdin -o out; echo $?; warpline import --format $format vadd -o out; echo $?; done
mkfifo pipe; timeout 200 warpline import pipe; echo $?; truncate -s 30000M long; timeout 200 warpline import long; echo $?; ls -d out*

for s in l1_policy=fifo l1_sector_bytes=32 l1_write=back_allocate; do warpline sweep --set $s vadd; echo $?; done 2>&1; warpline sweep --index bits:7,8 vadd

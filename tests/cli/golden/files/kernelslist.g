MemcpyHtoD,0x00007f5800000000,4096
kernel-1.traceg
kernel-1.traceg

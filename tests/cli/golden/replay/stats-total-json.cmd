warpline replay vadd --stats lines,buffers,arguments --json - | sed -n "/\"total\"/,\$p" | grep -v ": 0,"

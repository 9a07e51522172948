warpline replay --json one vadd >/dev/null; warpline replay --json /dev/stdout vadd >two; cmp one two && warpline replay --json /dev/stdout vadd | cmp - one && echo same
warpline occupancy --json one vadd >/dev/null; warpline occupancy --json /dev/stdout vadd >two; cmp one two && echo same
warpline sweep --out one vadd; warpline sweep --out /dev/stdout vadd | cmp one - && warpline sweep --out - vadd | cmp one - && echo same
echo older >old; ln -s old link; warpline replay --json link vadd >/dev/null; cmp link <(warpline replay --json - vadd) && ls -F old link

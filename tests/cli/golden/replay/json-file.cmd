warpline replay --json out.json vadd >/dev/null && warpline replay --json - vadd | cmp - out.json && echo same

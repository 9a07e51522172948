warpline replay --json nowhere/out.json vadd >/dev/null

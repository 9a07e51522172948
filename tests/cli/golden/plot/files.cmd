mkdir a.b; warpline plot vadd; warpline plot -o x vadd; warpline plot -o x.jpg vadd; warpline plot -o a.b/x vadd; warpline plot -o - vadd; warpline plot -o x.CSV vadd; ls x*

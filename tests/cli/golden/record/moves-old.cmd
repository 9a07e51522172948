warpline record make_recordings --here vadd 2>/dev/null; warpline record make_recordings --here vadd 2>/dev/null; ls -d warpline*

warpline record make_recordings --here incomplete; s=$?; ls -d warpline*; exit $s

for r in vadd counted limited incomplete tallied truncated manifest; do echo "== $r"; warpline verify $r; echo $?; done; warpline verify nowhere; echo $?; warpline verify; echo $?

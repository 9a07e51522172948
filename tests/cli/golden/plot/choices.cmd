for o in "--sm 15" "--group 2" "--buffer d" "--buffer 3" "--launch 2" "--what curve" "--colour red" "--schedule gtx"; do warpline plot $o -o x.csv vadd; echo $?; done; warpline plot -o x.csv counted

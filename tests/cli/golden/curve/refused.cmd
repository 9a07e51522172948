for o in "--format csv" "-o x.jpg" "-o no/x.csv" "--launch 9" "--schedule gtx" "--dispatch deep" "--l1 9k" "--l1-sets 0"; do warpline curve $o vadd; echo $?; done; warpline curve; echo $?; ls x*

warpline curve incomplete; echo $?; warpline curve --launch 1 limited; echo $?; warpline curve counted; echo $?; warpline curve -o x.csv counted; echo $?; ls x*

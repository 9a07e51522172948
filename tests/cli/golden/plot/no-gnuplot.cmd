ln -s "$(command -v env)" "$(command -v warpline)" .; PATH=$PWD warpline plot -o x.png vadd; echo $?; PATH=$PWD warpline plot -o x.csv vadd; ls -p | grep -v /

warpline record -o "%p/%h-%n%%" sh -c "echo \$WARPLINE_DIR"; warpline record -o "a%" true; echo $?; WARPLINE_DIR=x%y warpline record -o rec true

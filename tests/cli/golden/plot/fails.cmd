# gnuplot may end badly, or well without a whole picture: what was there stays as it was.
mkdir bin; echo old >x.png; export PATH=$PWD/bin:$PATH
try() { printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot; chmod +x bin/gnuplot; warpline plot -o x.${2:-png} vadd; echo $?; }
try 'printf "\211PNG\r\nhalf"; exit 1'
try 'printf "\211PNG\r\nhalf"; echo "  line 7: warning: odd" >&2; printf "\n     ^\n     line 9: undefined variable\n\nline 7: warning: odd\n  line 7: warning: odd\n" >&2; exit 1'
try 'printf "\211PNG\r\nhalf"'
try 'kill -9 $$'
try 'exec 1>&-; exit 0'
try 'printf "<?xml <image x/> </svg>\n"' svg; cat x.svg
try 'printf "%%PDF-1.5 /CreationDate (D:20261121112223+02%c00) %%%%EOF\n" "\x27"' pdf; cat x.pdf
try 'cat >seen; echo "$# $*" >>seen; printf "\211PNG\r\nIEND\256B\140\202"' && tail -1 seen
cat -v x.png; ls -p | grep -v /; exit 0

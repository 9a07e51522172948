# A single operand is EXPR if it compares and names no file; the first of two is always DIR.
cp -r vadd warpline.data; for expr in 'kind==write' 'launch<1' 'launch>0' 'kind!~ea'; do warpline query "$expr" --top 1 --columns launch,kind; done; warpline query 'line==' ; echo "exit $?"; touch 'a=b'; for dir in a=b nosuch "a=c kind==write"; do warpline query $dir; echo "$dir: exit $?"; done

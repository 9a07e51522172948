for o in "" "a.ptx" "-ptx a.cu" "--cubin a.cu" "-m32 a.cu" "-fPIC a.cu" "-o" "--nosuch a.cu" "-c a.cu b.cu -o x.o" "@nosuch"; do warpline nvcc $o; echo "$o: $?"; done

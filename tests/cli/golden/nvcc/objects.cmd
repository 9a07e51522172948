warpline nvcc --dryrun -dc -rdc=true a.cu b.cu; warpline nvcc --dryrun -dlink a.o b.o -o d.o; warpline nvcc --dryrun -lib a.o -o l.a; warpline nvcc --dryrun -M a.cu

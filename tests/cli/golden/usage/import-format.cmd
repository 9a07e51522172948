warpline import --format dinero loops.txt

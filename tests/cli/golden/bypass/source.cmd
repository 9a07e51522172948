# What to write, from the expressions of the sites.
warpline bypass --source --list argument:stream,warps:3 streaming; echo $?
warpline bypass --source --list buffer:1,line:99,address:0x40 vadd; echo $?

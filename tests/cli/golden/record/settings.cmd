WARPLINE_LAUNCHES=5 WARPLINE_GROUPS=sm:3@gtx480,4 WARPLINE_OPT=0 warpline record -o out --kernel "a|b" --launches 2.. --count --spaces local --device-buffer 1m sh -c "env | grep ^WARPLINE_ | sort"

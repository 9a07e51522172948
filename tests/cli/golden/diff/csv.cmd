warpline diff vadd vadd --launch-b 1 --csv - | grep -v ',accesses,\|,co\|,capacity\|,sector'

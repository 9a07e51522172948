warpline plot -o - --format gp --colour count --set warp_lanes=8 loops | grep -v NaN

mkdir mine; warpline gpus gtx480 | sed 's/^title.*/title = Mine/;$d' >mine/mine.conf; WARPLINE_GPUS=mine warpline gpus; warpline gpus ./mine/mine.conf | sed -n 1,1p

warpline bypass --source --list all streaming >/dev/full

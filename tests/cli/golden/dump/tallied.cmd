warpline dump --launch 5000 tallied --format csv

warpline import nowhere.txt

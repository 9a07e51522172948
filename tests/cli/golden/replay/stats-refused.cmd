for o in "--stats foo" "--stats lines,,sets" "--stats=" "--top 1" "--window 5 --stats sets" "--window 0 --stats windows"; do warpline replay $o vadd; echo $?; done

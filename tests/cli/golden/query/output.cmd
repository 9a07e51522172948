warpline query vadd 'launch==1' --top 1 -o out.txt && cat out.txt

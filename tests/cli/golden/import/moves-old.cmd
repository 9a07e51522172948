warpline import loops.txt -o out && warpline import loops.txt -o out && warpline import loops.txt -o out/ && ls -d out* && ls out.old

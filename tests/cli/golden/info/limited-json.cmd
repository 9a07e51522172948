warpline info --json - limited | grep -E "complete|limit|missing|recorder_ns|fate|reason"

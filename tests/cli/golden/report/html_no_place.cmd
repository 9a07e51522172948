warpline report -q --html missing/page.html --top 1 strided > /dev/null

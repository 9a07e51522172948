warpline report --json - --html - strided; echo $?
warpline report --json page.html --html page.html strided || [ -e page.html ] || echo "nothing was written"

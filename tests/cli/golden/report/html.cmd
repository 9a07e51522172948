warpline report --html page.html --top 1 strided | tail -2
warpline report --html - strided | cmp - page.html && echo "the same from two runs, by both ways"
cp -r strided elsewhere && warpline report --jobs 1 --html - elsewhere | cmp - page.html && echo "and wherever the recording lies"
head -c 15 page.html; echo
sed -n 's/.*<title>\(.*\)<.title>.*/\1/p' page.html
grep -c "$PWD" page.html
sed -n '/<table id=kernel-table/,/<.table>/s/^<tr>/&/p' page.html
sed -n '/<table id=source-0/,/<.table>/p' page.html | grep '^<tr class=hot'
sed -n '/<section id=complete/,/<.section>/p' page.html

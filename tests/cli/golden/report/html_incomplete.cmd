warpline report --html - incomplete > page.html; echo $?
sed -n '/<section id=complete/,/<.section>/p' page.html
grep -o '<b>Incomplete:</b>' page.html

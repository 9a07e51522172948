warpline plot -o - --format gp --dispatch random:3 vadd | grep "label 2"; warpline plot -o - --format csv --dispatch breadth --colour sm --set max_groups=2 vadd | tail -1

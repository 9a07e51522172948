warpline plot -o - --format csv --sm 1 --colour sm vadd | sed -n "1,3p"; warpline plot -o - --format gp --sm 1 --group 1 --buffer a --buffer 2 vadd | grep label

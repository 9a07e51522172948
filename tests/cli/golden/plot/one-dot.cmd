warpline plot -o - --format gp wide | sed -n '/<< END/,/^END/p;/range/p'

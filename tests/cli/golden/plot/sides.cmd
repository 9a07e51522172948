warpline plot -o - --format gp sides | grep label

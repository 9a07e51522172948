warpline plot -o - --format gp incomplete | grep label; exit ${PIPESTATUS[0]}

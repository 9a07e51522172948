warpline dump --format json loops | sed -n 1,6p; exit ${PIPESTATUS[0]}

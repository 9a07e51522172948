warpline diff vadd incomplete --fail-above 0 | head -n 1; echo ${PIPESTATUS[0]}

warpline dump incomplete | sed -n '$p'; exit ${PIPESTATUS[0]}

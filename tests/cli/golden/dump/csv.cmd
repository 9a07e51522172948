warpline dump --format csv --launch 1 vadd | sed -n 1,4p; exit ${PIPESTATUS[0]}

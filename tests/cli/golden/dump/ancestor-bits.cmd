warpline dump --format ancestor --launch 1 vadd | sed -n 1,2p; exit ${PIPESTATUS[0]}

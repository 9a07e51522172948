warpline diff sides vadd --fail-above 0 --fail-on bank_conflicts --top 1

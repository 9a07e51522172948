warpline replay --set registers=1k --ptxas ptxas.log@sm_20 vadd; warpline replay --set registers=1k --ptxas ptxas.log@sm_80 vadd | grep resident

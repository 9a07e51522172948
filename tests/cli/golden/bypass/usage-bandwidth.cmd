warpline bypass --bandwidth maybe strided

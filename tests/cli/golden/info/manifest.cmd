warpline info manifest

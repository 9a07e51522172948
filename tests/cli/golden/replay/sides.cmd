warpline replay sides

touch plain; warpline record ./plain

warpline replai x

warpline reorder incomplete -o config

warpline reorder vadd | cut -c1-100

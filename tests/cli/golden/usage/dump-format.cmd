warpline dump --format xml vadd

warpline report incomplete; echo $?; warpline report counted; warpline report tallied; warpline report truncated

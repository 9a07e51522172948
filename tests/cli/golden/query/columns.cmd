warpline query --columns help && warpline query --of launches --columns help && warpline query --of requests --columns help

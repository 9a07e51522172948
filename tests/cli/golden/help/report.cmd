warpline help report

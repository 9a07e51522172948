warpline report --json report.json reused && grep -c . report.json

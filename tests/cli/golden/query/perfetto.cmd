warpline query vadd --perfetto out.json; cat out.json

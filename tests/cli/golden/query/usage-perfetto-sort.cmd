warpline query vadd --perfetto - --sort launch

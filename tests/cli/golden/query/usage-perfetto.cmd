warpline query vadd --perfetto - --of lines

warpline query incomplete --perfetto out.json --columns fate,reason; echo $?; tail -n 8 out.json

warpline query sides 'kind==read' --top 3 --format json --columns all

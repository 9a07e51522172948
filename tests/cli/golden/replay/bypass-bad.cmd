for list in foo:1, site: site:99 site:2 line:1 argument:nobody argument:c buffer:99 site:x warps:-1 address:y no-such-file; do warpline replay vadd --bypass $list; echo $?; done

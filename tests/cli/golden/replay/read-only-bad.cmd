for list in foo:1 site: site:99 line:1 argument:nobody buffer:99 site:x; do warpline replay vadd --read-only $list; echo $?; done; warpline replay vadd --gpu v100 --read-only site:0

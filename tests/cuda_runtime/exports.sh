#!/bin/sh
# exports.sh LIBRARY CUDA_DIR: the library exports what its table lists, and of its own names nothing else.
set -eu
library=$1
case $library in
*libcudart*) table=$2/cudart_api.def prefix=cuda ;;
*) table=$2/cuda_driver_api.def prefix=cu ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
	grep -v '^_init$\|^_fini$' | sort >"$work/has"
awk -v prefix=$prefix '
	!/^[A-Z]/ { next }
	{
		kind = $0; sub(/\(.*/, "", kind)
		name = substr($0, length(kind) + 2)
		if (kind ~ /OTHER/) { sub(/^[^,]*, /, "", name); sub(/,.*/, "", name); print name; next }
		sub(/[,)].*/, "", name)
		print prefix name
		if (kind ~ /_V2/) print prefix name "_v2"
		v2 = kind ~ /_V2/ ? "_v2" : ""
		if (kind ~ /PTSZ/) print prefix name v2 "_ptsz"
		if (kind ~ /PTDS/) print prefix name v2 "_ptds"
	}' "$table" | sort -u >"$work/wants"
[ $prefix = cuda ] || printf 'cuGetProcAddress\ncuGetProcAddress_v2\n' | sort -u - "$work/wants" -o "$work/wants"
[ "$(wc -l <"$work/has")" -gt 300 ]
diff "$work/wants" "$work/has"
case $library in
*libcudart.so.11.0) readelf -V "$library" | grep -q 'Name: libcudart.so.11.0' ;;
*libcudart.so.1[23]) readelf -V "$library" | grep -q "Name: ${library##*/}" ;;
esac

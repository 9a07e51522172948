#!/bin/sh
# scripts/validate-gpu.sh without a GPU: validate_gpu.sh BUILD SOURCE. nvcc, ncu and nvidia-smi are stand-ins
# that say known numbers, and the program that nvcc "builds" hands in a recording of an OpenCL device: what
# is tested is how they are asked, and the arithmetic of the table.
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/none" "$work/out"
"$build/warpline" record -q -o "$work/recording" -- "$build/apps/stride" >"$work/log" 2>&1 ||
	{ cat "$work/log"; exit 1; }

cat >"$work/bin/nvidia-smi" <<'END'
#!/bin/sh
case $* in
*compute_cap*) echo 7.0 ;;
*) echo "Tesla V100-SXM2-16GB" ;;
esac
END
cat >"$work/bin/nvcc" <<END
#!/bin/sh
echo "\$@" >"$work/nvcc.log"
while [ \$# -gt 0 ]; do
	[ "\$1" = -o ] && out=\$2
	shift
done
cat >"\$out" <<'APP'
#!/bin/sh
[ \$# -gt 0 ] || { echo one; exit; }
[ -z "\${WARPLINE_DIR:-}" ] || { echo "\$LD_PRELOAD" >"$work/preload.log"; cp -r "$work/recording" "\$WARPLINE_DIR"; }
APP
chmod +x "\$out"
END
# Two rows of one metric are added; numbers have commas.
cat >"$work/bin/ncu" <<'END'
#!/bin/sh
echo '==PROF== Connected to process 1'
echo '"ID","Process ID","Process Name","Metric Name","Metric Unit","Metric Value"'
row() { echo "\"0\",\"1\",\"gpu_kernels\",\"$1\",\"\",\"$2\""; }
row l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 1,000
row l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum 24
row l1tex__t_requests_pipe_lsu_mem_global_op_st.sum 512
row l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum 4,096
row l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum 1,024
row lts__t_sectors_srcunit_tex_op_read.sum 3,072
row lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum 768
END
chmod +x "$work/bin"/*

# Nothing is there: skipped, and it says what is missing.
status=0
ln -s "$(command -v dirname)" "$(command -v sh)" "$work/none"
PATH=$work/none BUILD_DIR=$build "$source/scripts/validate-gpu.sh" 2>"$work/log" || status=$?
if [ $status -ne 77 ] || ! grep -q 'nvcc is not there' "$work/log"; then
	echo "no tools: $status"
	cat "$work/log"
	exit 1
fi

PATH=$work/bin:$PATH BUILD_DIR=$build "$source/scripts/validate-gpu.sh" -o "$work/out" >"$work/table" ||
	{ cat "$work/table"; exit 1; }
cat "$work/table"
grep -q -- '-gencode arch=compute_70,code=\[sm_70,compute_70\]' "$work/nvcc.log"
grep -qx "$build/libwarpline-cuda.so" "$work/preload.log"
grep -qx 'Tesla V100-SXM2-16GB, as gpus/v100.conf' "$work/table"

# What the model says, asked here: warp instructions, sectors as reads of lines of 32 bytes.
"$build/warpline" replay "$work/recording" --gpu v100 --l2 on --json "$work/replay.json" >/dev/null
"$build/warpline" replay "$work/recording" --gpu v100 --line 32 --l1-sectors 32 --json "$work/sectors.json" >/dev/null
instructions=$("$build/tests/json_get" "$work/replay.json" launches.0.instructions)
sectors=$("$build/tests/json_get" "$work/sectors.json" launches.0.l1.reads)
# 1000 + 24 + 512 requests; 1024 of 4096 and 768 of 3072 sectors are hits.
line=$(awk -F, '$1 == "one"' "$work/out/gpu.csv")
case $line in
"one,1536,$instructions,4096,$sectors,25.00,"*",25.00,"*) ;;
*) echo "unexpected: $line"; exit 1 ;;
esac
grep -q '^one  *1536 ' "$work/out/gpu.txt"

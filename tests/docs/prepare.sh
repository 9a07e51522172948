#!/bin/sh
# prepare.sh BUILD SOURCE FOLDER: what the commands of all documents find (README.md has the table),
# made once in FOLDER. Ends with 77 where there is no OpenCL device to record on.
set -eu
build=$(realpath "$1") source=$(realpath "$2")
rm -rf "$3"
mkdir -p "$3/home" "$3/cache" "$3/pocl" "$3/files"
folder=$(realpath "$3")
. "$(dirname "$0")/environment.sh"
cd "$folder/files"

mkdir build
ln -s "$build/warpline" "$build/apps" build/
ln -s "$source/scripts" "$source/docs" "$source/gpus" .

record() { # NAME APP ARGUMENT...
	name=$1 app=$build/apps/$2
	shift 2
	warpline record -q -o "$name" -- "$app" "$@" >"$folder/$name.out" 2>&1 || {
		cat "$folder/$name.out"
		! grep -q 'no OpenCL' "$folder/$name.out" || exit 77
		exit 1
	}
}

record DIR matmul --size 64
cp -R DIR warpline.data
cp -R DIR run.data
cp -R DIR warpline.data.2
record A transpose --size 256 --group 32x8
record B transpose_padded --size 256
cp -R A before.data
cp -R B after.data

for name in my-opencl-program app script-that-starts-the-program; do
	printf '#!/bin/sh\nexec build/apps/matmul --size 32\n' >$name
	chmod +x $name
done

# The loads of the inner line of matmul.cl, which the list names.
cat >mm.ptx <<'PTX'
.version 6.4
.target sm_70
.address_size 64
.file 1 "program-0000.cl"
.visible .entry matmul(.param .u64 A, .param .u64 B, .param .u64 C, .param .u32 width,
	.param .u32 height)
{
	.reg .f32 %f<3>;
	.reg .b64 %rd<5>;
	.loc 1 3 1
	ld.param.u64 %rd1, [A];
	ld.param.u64 %rd2, [B];
	cvta.to.global.u64 %rd3, %rd1;
	cvta.to.global.u64 %rd4, %rd2;
	.loc 1 10 10
	ld.global.f32 %f1, [%rd3];
	.loc 1 10 35
	ld.global.f32 %f2, [%rd4];
	ret;
}
PTX
printf 'warpline bypass 1\nkernel matmul\nline 10\n' >mm.list

# The addresses 0, 128, ... of 8 bytes each, little-endian, twice.
for i in 1 2; do
	printf '\000\000\000\000\000\000\000\000\200\000\000\000\000\000\000\000'
	printf '\000\001\000\000\000\000\000\000\200\001\000\000\000\000\000\000'
done >addresses

# What other tracers wrote, from the tests of import, without what it cannot take.
golden=$source/tests/cli/golden/files
sed 's/TEX\.SCR\.LL/LDS/' "$golden/kernel-1.traceg" >kernel-1.traceg
cp "$golden/kernelslist.g" .
grep -v UBLKCP "$golden/memtrace.txt" | xz -c >memory.txt.xz

# The library as if it were installed, for the lines of docs/embedding.md.
cp "$source/docs/examples/replay_lines.c" .
mkdir "$folder/pc"
cat >"$folder/pc/warpline-replay.pc" <<PC
Name: warpline-replay
Description: in the build tree
Version: 1
Cflags: -I$source/api -I$build/api
Libs: -L$build -Wl,-rpath,$build -lwarpline-replay
PC

# The CUDA program of docs/cuda.md, and what is made of it.
cp "$source/docs/examples/transpose.cu" .
warpline nvcc -o transpose transpose.cu

# For the examples of help: a trace of the 2014 tool, and where a shell looks for completions.
cp "$golden/loops.txt" trace.txt
mkdir -p "$HOME/.local/share/bash-completion/completions"
: >"$folder/whole"

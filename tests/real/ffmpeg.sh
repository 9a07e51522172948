#!/bin/sh
# ffmpeg.sh: filters of video on images, which are counted and named, and on buffers.
. "$SOURCE_DIR/tests/real/real.sh"
needs ffmpeg ffmpeg

# filter NAME CHAIN: one second of a test picture; the output is a checksum a frame.
filter() {
	same "$1" ffmpeg -nostdin -hide_banner -loglevel error -init_hw_device opencl=ocl:0.0 \
		-filter_hw_device ocl -f lavfi -i testsrc=size=128x96:rate=2:duration=1 \
		-vf "format=yuv420p,hwupload,$2,hwdownload,format=yuv420p" -f framemd5 -
	expect "$1: frames" "$(grep -vc '^#' "$1.native")" 2
	all_traced "$1"
}
filter sharpen unsharp_opencl,avgblur_opencl=3
filter denoise nlmeans_opencl=p=3:r=3
passed

#!/bin/sh
# opencv.sh: OpenCV's transparent API, which finds OpenCL by dlopen(), on the device.
. "$SOURCE_DIR/tests/real/real.sh"
needs_python cv2 python3-opencv
# A processor is no device for OpenCV unless it is told so.
export OPENCV_OPENCL_DEVICE=:CPU: OPENCV_OPENCL_CACHE_ENABLE=0
same umat "$python" "$SOURCE_DIR/tests/real/opencv_umat.py"
all_traced umat
passed

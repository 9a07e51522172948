/*
 * cuda_target - the GPUs, the SDK and the PTX version that clang and LLVM's NVPTX back end are
 * asked for: for `warpline nvcc`, for device code of CUDA, and for PTX output.
 */
#ifndef CUDA_TARGET_H
#define CUDA_TARGET_H

/* Of clang's -target-sdk-version: our headers declare the launches of CUDA 12. */
#define CUDA_TARGET_SDK "12.3"

/* Of clang's -target-feature: the PTX version, for instructions that inline PTX may use. */
#define CUDA_TARGET_PTX "+ptx85"

/* The newest GPU sm_<number> that every supported LLVM knows and that is not newer than `arch`; the
 * oldest of all if there is none. */
unsigned cuda_target_known(unsigned arch);

#endif

/*
 * nvrtc_program - CUDA C++ that a program compiles while it runs (NVRTC).
 *
 * What is handed out as PTX, and as machine code, is the source with its options
 * (DEVICE_IMAGE_SOURCE): the driver's interface of ours compiles it. Compiling here only finds what
 * is wrong with it, and the kernels' names. Headers given as texts are put where they are included.
 * A name expression must name a kernel that is no template: nothing is instantiated for the asking.
 */
#ifndef NVRTC_PROGRAM_H
#define NVRTC_PROGRAM_H

#include <stddef.h>

struct nvrtc_program;

enum nvrtc_error {
#define NVRTC_ERROR(name, code, text) NVRTC_##name = (code),
#include "nvrtc_api.def"
};

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
#define NVRTC(name, params, args) int nvrtc_program_##name params;
#include "nvrtc_api.def"
/* NOLINTEND(readability-function-size) */

/* Static storage. */
const char *nvrtc_program_error_text(int error);

#endif

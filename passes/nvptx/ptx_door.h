/*
 * ptx_door - a program of NVPTX code as PTX text, by LLVM's own back end.
 *
 * Kernels and variables keep their names, and kernels their parameters. Kernels that could not be
 * read from the source (CUDA_REFUSAL in cuda_call.h) are left out. Knows nothing of probes.
 */
#ifndef PTX_DOOR_H
#define PTX_DOOR_H

struct err;
struct program;
struct str;

/*
 * Append the program's PTX. Returns 0; ERR_UNSUPPORTED for a function that neither the program nor
 * a driver has, and for what the back end cannot take; ERR_USAGE for the GPU; ERR_NOMEM, ERR_LIMIT.
 */
int ptx_door_write(struct program *p, struct str *out, struct err *err);

#endif

/*
 * ptx_door - writes a program of NVPTX code as PTX, with LLVM's own back end.
 *
 * Kernels and variables keep their names, and kernels their parameters. Refused kernels
 * (CUDA_REFUSAL in cuda_call.h) are left out. Does not depend on probes.
 */
#ifndef PTX_DOOR_H
#define PTX_DOOR_H

struct err;
struct program;
struct str;

/*
 * Append the program's PTX. Returns 0; ERR_UNSUPPORTED for a function that neither the program nor
 * a driver has, and for what the back end rejects; ERR_USAGE for the GPU; ERR_NOMEM, ERR_LIMIT.
 */
int ptx_door_write(struct program *p, struct str *out, struct err *err);

#endif

/*
 * steps - what warpline-instrument does to a program after the front end, in this order. Each step
 * takes the program as the previous step left it. All return 0, ERR_NOMEM, or the errors named. At
 * the end one of two writers makes the output.
 */
#ifndef STEPS_H
#define STEPS_H

struct err;
struct program;

/* For PTX output, before program_find_kernels(): refuse code that is not NVPTX, and give kernels
 * the calling convention of kernels. ERR_UNSUPPORTED. */
int ptx_find_kernels(struct program *p, struct err *err);

/*
 * With --keep-device 1, for CUDA: keep the present module, to be carried inside the OpenCL C output
 * (carried_code.h). Kernels and memories are already in OpenCL form, but nothing is linked or
 * lowered yet.
 */
int device_module_keep(struct program *p, struct err *err);

/* Inline every function into the kernels that call it, including kernels into kernels.
 * ERR_UNSUPPORTED. */
int inline_calls(struct program *p, struct err *err);

/*
 * For PTX output, once everything is inlined: find out which memory generic pointers point to.
 * Pointers passed to kernels point to global memory, also inside structures; for pointers that stay
 * generic, the code asks at run time (clean_code.c). Kernels that call what could not be inlined
 * get a refusal. ERR_UNSUPPORTED.
 */
int ptx_infer_spaces(struct program *p, struct err *err);

/*
 * With `--opt gpu`: leave only the accesses that a GPU's compiler leaves. A load that must give the
 * same value is done once; a store that is overwritten unseen is dropped; a loop-invariant load
 * moves before the loop; structures are copied member by member; up to 16 bytes are accessed at
 * once where nvcc does so. Nothing is computed differently or in another order. PTX is left
 * unchanged, since a GPU's compiler has made it. ERR_UNSUPPORTED, ERR_LIMIT.
 */
int optimise(struct program *p, struct err *err);

/* Call wait_group_events() with the private pointer that clang casts to a generic one. */
int make_events_private(struct program *p, struct err *err);

/*
 * Insert a mark (mark.h) before each recorded memory access, each prefetch, barrier and fence;
 * before each work-group copy, a loop of marks. ERR_UNSUPPORTED.
 */
int mark_accesses(struct program *p, struct err *err);

/*
 * Promote variables to registers, specialise marks of generic pointers to a memory, give loops one
 * preheader and one latch, make irreducible control flow reducible (noted in the table); then read
 * each kernel's flow. ERR_LIMIT, ERR_UNSUPPORTED.
 */
int clean_code(struct program *p, struct err *err);

/* Number the sites and fill each kernel's table (kernel_table.h). ERR_LIMIT. */
int number_sites(struct program *p, struct err *err);

/* Note on the loads named by `--apply` that they are to bypass L1 (mark.h). ERR_USAGE, ERR_FORMAT,
 * ERR_VERSION. */
int choose_bypasses(struct program *p, struct err *err);

/*
 * Link the probe runtime (probe.cl), give each kernel the hidden last argument, replace each mark
 * by a probe, and note in the table how the code writes. A kernel with a `refusal` gets no probes
 * and no hidden argument; nor does any kernel when no records are requested. Invalidates the flows.
 * ERR_UNSUPPORTED.
 */
int insert_probes(struct program *p, struct err *err);

/*
 * For CUDA: express what waits for other work-items, warpline_cuda_sync() and the like, by OpenCL's
 * barriers; this includes barriers that some work-items do not reach, or have returned before.
 * Kernels keep their accesses. ERR_LIMIT, ERR_UNSUPPORTED.
 */
int lower_syncs(struct program *p, struct err *err);

/*
 * Give the groups outside a sample of local memory (launch_shape.h) code of their own that records
 * nothing of local memory: without it, they pay the cost of recording too. Not done where flows
 * must stay unchanged, nor for large kernels. The records are the same. ERR_NOMEM.
 */
int copy_samples(struct program *p, struct err *err);

/* Inline what is to be inlined, drop debug information, verify the module; for CUDA, read ids of
 * groups and sizes at the start of kernels. ERR_UNSUPPORTED. */
int finish_code(struct program *p, struct err *err);

/*
 * text_door.c: writes LLVM IR as OpenCL C, which every device accepts.
 *
 * The module is an OpenCL C program for spir or spir64. Its functions are inlined or stay
 * functions; debug information is needed only for source positions in refusals. Nothing here
 * depends on pointee types. The output has the meaning of the IR: the same accesses, the same
 * control flow, floating-point operations contracted where the source had them in one expression.
 *
 * Names in the output begin with "warpline_", or are a letter and a number inside functions;
 * kernels keep theirs. The first line is `// options:` and the build options; with --keep-device
 * the device code that it was made from follows (device_module_keep()).
 */

struct str;

/*
 * Append the program as OpenCL C to *out. A kernel with a construct that cannot be expressed is
 * left out, and its table's `refusal` is "text: ", the construct and its source position; a kernel
 * that already has a refusal is also left out. Returns 0, ERR_NOMEM, ERR_LIMIT, or ERR_USAGE
 * (unreadable build options).
 */
int text_door_write(struct program *p, struct str *out, struct err *err);

/*
 * ptx_door.c: writes a program of NVPTX code as PTX, with LLVM's own back end.
 *
 * Kernels and variables keep their names, and kernels their parameters. Refused kernels
 * (CUDA_REFUSAL in cuda_call.h) are left out. Does not depend on probes.
 */

/*
 * Append the program's PTX. Returns 0; ERR_UNSUPPORTED for a function that neither the program nor
 * a driver has, and for what the back end rejects; ERR_USAGE for the GPU; ERR_NOMEM, ERR_LIMIT.
 */
int ptx_door_write(struct program *p, struct str *out, struct err *err);

#endif

/*
 * steps - what warpline-instrument does to a program after the front end, in
 * this order. Each step is one file and takes the program as the step before
 * left it. All return 0, ERR_NOMEM, or the errors named.
 */
#ifndef STEPS_H
#define STEPS_H

struct err;
struct program;

/* For the PTX door: refuse what is no code for NVPTX, give kernels the convention of kernels
 * (before program_find_kernels()). ERR_UNSUPPORTED. */
int ptx_find_kernels(struct program *p, struct err *err);

/*
 * For the PTX door, once all is inlined: find out which memory generic pointers point to. What
 * kernels are handed points to global memory, also inside structures; what stays generic is asked
 * at run time (clean_code.c). Kernels that call what could not be inlined get a refusal.
 * ERR_UNSUPPORTED.
 */
int ptx_infer_spaces(struct program *p, struct err *err);

/* Inline every function into the kernels that call it, also kernels into kernels. ERR_UNSUPPORTED.
 */
int inline_calls(struct program *p, struct err *err);

/*
 * With `--opt gpu`: leave the accesses that a GPU's compiler leaves. What must give the same value
 * is loaded once, what is overwritten unseen is not stored, what does not change in a loop is
 * loaded before it; structures are copied by members; up to 16 bytes are accessed at once where
 * nvcc does so. Nothing is computed in another way or another order. PTX is left unchanged: a GPU's
 * compiler has made it. ERR_UNSUPPORTED, ERR_LIMIT.
 */
int optimise(struct program *p, struct err *err);

/* Call wait_group_events() with the private pointer that clang casts to a generic one. */
int make_events_private(struct program *p, struct err *err);

/*
 * Put a mark (mark.h) before each access to memory that is recorded, each prefetch, barrier and
 * fence; before each copy by a work-group a loop of marks. ERR_UNSUPPORTED.
 */
int mark_accesses(struct program *p, struct err *err);

/*
 * Variables into registers, marks of generic pointers into those of a memory, loops into the form
 * with one preheader and one latch, irreducible control flow into reducible (noted in the table);
 * then read each kernel's flow. ERR_LIMIT, ERR_UNSUPPORTED.
 */
int clean_code(struct program *p, struct err *err);

/* Number the sites and fill each kernel's table (kernel_table.h). ERR_LIMIT. */
int number_sites(struct program *p, struct err *err);

/* Note at loads which `--apply` names that they are to go past L1 (mark.h). ERR_USAGE,
 * ERR_FORMAT, ERR_VERSION. */
int choose_bypasses(struct program *p, struct err *err);

/*
 * Link the probe runtime (probe.cl) in, give each kernel the hidden last argument, put a probe in
 * the place of each mark; note in the table how the code writes. A kernel with a `refusal` is left
 * without probes and without that argument, and so are all where no records are asked for.
 * ERR_UNSUPPORTED. The flows are of no use afterwards.
 */
int insert_probes(struct program *p, struct err *err);

/*
 * In a program of CUDA: what waits for other work-items, warpline_cuda_sync() and its like, in
 * terms of OpenCL's barriers; also barriers that not all work-items come to, or that some have
 * returned before. Kernels keep their accesses. ERR_LIMIT, ERR_UNSUPPORTED.
 */
int lower_syncs(struct program *p, struct err *err);

/*
 * Give the groups that are not in a sample of local memory (launch_shape.h) code of their own, in
 * which nothing of local memory is recorded: what a sample costs them otherwise is what recording
 * costs. Not where flows must stay, nor of large kernels. The records are the same. ERR_NOMEM.
 */
int copy_samples(struct program *p, struct err *err);

/* Inline what is to be inlined, drop debug information, check the module; in a program of CUDA, ask
 * for ids of groups and sizes at the begin of kernels. ERR_UNSUPPORTED. */
int finish_code(struct program *p, struct err *err);

#endif

/*
 * retarget_spaces - LLVM's infer-address-spaces, also for accesses that are volatile.
 */
#ifndef RETARGET_SPACES_H
#define RETARGET_SPACES_H

struct err;
struct program;

/* Run it over the kernels, for a machine whose generic pointers are in address space 0. Returns 0
 * or ERR_UNSUPPORTED. */
int infer_spaces(struct program *p, struct err *err);

#endif

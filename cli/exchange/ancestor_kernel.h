/*
 * ancestor_kernel - the kernel behind a trace of the 2014 format: its sites and loops, inferred.
 *
 * Instruction Mn becomes the n-th site that accesses memory. Numbers that never
 * occur keep their place as reads. The format names no barriers: one that a
 * work-item makes as the k-th after Mn becomes a site behind Mn, in the loops
 * of Mn. A loop word lists every loop around its access, so that nesting
 * follows; loops without a line are empty.
 */
#ifndef ANCESTOR_KERNEL_H
#define ANCESTOR_KERNEL_H

#include "ancestor_trace.h"
#include "array.h"
#include "kernel_table.h"

struct ancestor_kernel {
	struct kernel_table table;
	uint32_t sites[ANCESTOR_LAST_NUMBER + 1]; /* site of Mn */
	struct array barriers;                    /* struct ancestor_barrier, ascending by key */
};

struct ancestor_barrier {
	uint64_t key; /* n << 32 | k << 1 | is global; n is 0 before the first access */
	uint32_t site;
};

/* The key of the k-th barrier (from 0) after Mn. k < 2^31. */
uint64_t ancestor_barrier_key(uint16_t number, uint32_t k, enum ancestor_kind kind);

/*
 * Infer the kernel. Release *kernel in every case. Returns 0; ERR_FORMAT "FILE:LINE: ..." when an
 * instruction is read here and written there, or lies in other loops than before, or when loops
 * nest in two ways, or when a loop's instructions are not neighbours; ERR_LIMIT, ERR_NOMEM.
 */
int ancestor_kernel_infer(struct ancestor_kernel *kernel, const struct ancestor_trace *trace,
                          struct err *err);

/* The site of a barrier that the trace has. */
uint32_t ancestor_kernel_barrier(const struct ancestor_kernel *kernel, uint64_t key);

/* Free what it owns. Accepts a zeroed struct. */
void ancestor_kernel_release(struct ancestor_kernel *kernel);

#endif

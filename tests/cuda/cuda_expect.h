/*
 * cuda_expect - the accesses that the launches of a CUDA program must make, computed from its
 * source by hand: a C function per kernel, called for each work-item, says them in program order.
 *
 * cuda_expect_*.c hold them, a table of programs each; the program cuda_expect RECORDING OUTPUT
 * NAME.cu [OTHER.cu...] compares: which kernels were launched with how many groups of which size;
 * and of every work-item of every launch each event: kind, buffer, offset, bytes, source line, and
 * the iteration of every loop around, no more and no less. Buffers are those that OUTPUT, what the
 * program printed, names; lines are those that "// @N" ends in NAME.cu or in one of its other units
 * (corpus.cuh).
 *
 * It prints the first difference of each launch and ends with 1 then, with 2 when something cannot
 * be read, with 3 when there is no table of the program.
 */
#ifndef CUDA_EXPECT_H
#define CUDA_EXPECT_H

#include "site.h"

#include <stddef.h>
#include <stdint.h>

struct cuda_expect; /* the stream that is being made */

struct cuda_item {
	int64_t id[3], local[3], group[3]; /* id: group * size of a group + local */
	int64_t size[3], groups[3];        /* of a group; of the grid */
	int64_t warp, lane;                /* of the linear number in the group */
	int64_t launch;                    /* of the program's, from 0 */
};

typedef void (*cuda_compute)(struct cuda_expect *e, const struct cuda_item *w);

struct cuda_launch {
	const char *kernel; /* as in the source; NULL ends a list */
	uint32_t groups[3], size[3];
	cuda_compute compute;
	/* Where the stream depends on the order in which work-items run there is no `compute`, but
	 * bounds of how many accesses all of them make. */
	uint64_t least, most;
	uint64_t local_bytes; /* shared memory of a group, static and dynamic */
};

struct cuda_program {
	const char *name;
	const struct cuda_launch *launches; /* in order */
};

/* An access of `bytes` at `offset` bytes in the buffer; shared memory is the buffer "shared". */
void access_is(struct cuda_expect *e, int tag, enum site_kind kind, const char *buffer,
               int64_t offset, int64_t bytes);

/* The same for item `index` of an array of items of `bytes`. */
void reads(struct cuda_expect *e, int tag, const char *buffer, int64_t index, int64_t bytes);
void writes(struct cuda_expect *e, int tag, const char *buffer, int64_t index, int64_t bytes);
void updates(struct cuda_expect *e, int tag, const char *buffer, int64_t index, int64_t bytes);

void meets(struct cuda_expect *e, int tag);  /* a barrier */
void fences(struct cuda_expect *e, int tag); /* a fence */

/* What the program printed as "number NAME VALUE"; -1 when it did not. */
int64_t said(const struct cuda_expect *e, const char *name);

/* A loop begins, with iteration 0; goes on to its next iteration; is left. */
void loop_enter(struct cuda_expect *e);
void loop_next(struct cuda_expect *e);
void loop_leave(struct cuda_expect *e);

/* for (int64_t k = first; condition; k += step). */
#define EACH(k, first, condition, step)                                                            \
	for (int64_t k = (loop_enter(e), (first)); (condition) || (loop_leave(e), 0);              \
	     k += (step), loop_next(e))

/* Tables, each ended by a row without a name. */
#define CUDA_EXPECT_TABLE(name) extern const struct cuda_program cuda_expect_##name[];
#include "cuda_expect_tables.def"
#undef CUDA_EXPECT_TABLE

#endif

/*
 * expect - the accesses that a kernel of the corpus must make, computed from its source by hand:
 * a C function per kernel, called for each work-item, says them in program order.
 *
 * expect_NAME.c holds them for NAME.cl, and a table of them; each makes a program expect_NAME
 * RECORDING NAME.cl, which compares: kind, argument, offset, bytes and the iteration of every loop
 * around, for every work-item, no more and no less. It prints KERNEL and the first difference and
 * ends with 1 then, with 2 when something cannot be read.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include "kernel_table.h"

#include <stdint.h>

struct expect; /* the stream that is being made */

struct work_item {
	int64_t id[3], local[3], group[3]; /* global id (with offset), local id, group */
	int64_t size[3];                   /* global size */
};

struct expectation {
	const char *kernel;
	void (*compute)(struct expect *e, const struct work_item *w);
};

/* The rows of a file, ended by one without a kernel. */
extern const struct expectation expectations[];

/* An access of `bytes` at `offset` bytes in the buffer of `argument`. */
void emit(struct expect *e, enum site_kind kind, int argument, int64_t offset, int64_t bytes);

/* The same for item `index` of an array of items of `bytes`. */
void reads(struct expect *e, int argument, int64_t index, int64_t bytes);
void writes(struct expect *e, int argument, int64_t index, int64_t bytes);
void updates(struct expect *e, int argument, int64_t index, int64_t bytes); /* an atomic */
/* A read, then a write: x op= y, behind y's own. */
void changes(struct expect *e, int argument, int64_t index, int64_t bytes);
void meets(struct expect *e); /* a barrier */

/* What a buffer holds at first, as an integer, and a scalar argument. */
int64_t value(const struct expect *e, int argument, int64_t index);
int64_t number(const struct expect *e, int argument);

/* A loop begins, with iteration 0; goes on to its next iteration; is left. */
void loop_enter(struct expect *e);
void loop_next(struct expect *e);
void loop_leave(struct expect *e);

/* for (int64_t k = first; condition; k += step); before a break stands loop_leave(e). */
#define EACH(k, first, condition, step)                                                            \
	for (int64_t k = (loop_enter(e), (first)); (condition) || (loop_leave(e), 0);              \
	     k += (step), loop_next(e))

#endif

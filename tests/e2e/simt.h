/*
 * simt - a warp of up to 64 lanes that executes kernels written with masks: one statement for all
 * lanes at a time, as SIMT hardware does.
 *
 * A kernel is a function of a struct simt *s. Values of lanes are vectors; a condition is one of -1
 * and 0, as comparisons give.
 *
 *   for (WHERE(condition); goes_on(s);) { ... }     if
 *   for (begin_loop(s); loops_on(s);) { ... }       a loop; in it WHILE(condition) and
 *                                                   leave_loop(s), skip_turn(s), begin_foot(s):
 *                                                   break, continue, what continue goes to
 *   READS(argument, index), WRITES(argument, index)  of items of 4 bytes
 *   SET(x, expression), leave_kernel(s)
 */
#ifndef SIMT_H
#define SIMT_H

#include "site.h"

enum { SIMT_LANES = 64, SIMT_LEVELS = 16, SIMT_STEPS = 4096 };

typedef int64_t simt_vector __attribute__((vector_size(SIMT_LANES * sizeof(int64_t))));

/* A memory instruction. */
struct simt_step {
	enum site_kind kind;
	int argument;
	uint64_t mask;
	int64_t offset[SIMT_LANES]; /* bytes, of the argument, for lanes in the mask */
};

/* A branch, whose other lanes wait; or a loop, with those that have left it or its turn. */
struct simt_level {
	uint64_t others, skipped;
	bool is_loop, has_begun;
};

struct simt {
	simt_vector value;      /* of the statement at hand */
	simt_vector gid, id[3]; /* global id in dimension 0; local id */
	uint64_t active;
	struct simt_level levels[SIMT_LEVELS];
	int depth;
	struct simt_step steps[SIMT_STEPS];
	uint32_t step_count;
};

/* A kernel of warp_order.cl. */
struct simt_kernel {
	const char *name;
	void (*execute)(struct simt *s);
};

enum { SIMT_KERNELS = 5 };
extern const struct simt_kernel simt_kernels[SIMT_KERNELS];

#define WHERE(condition)        s->value = (condition), begin_branch(s)
#define WHILE(condition)        (s->value = (condition), stay_in_loop(s))
#define READS(argument, index)  (s->value = (index), put_step(s, SITE_READ, argument))
#define WRITES(argument, index) (s->value = (index), put_step(s, SITE_WRITE, argument))
#define SET(x, expression)      (s->value = (expression), assign(s, &(x)))

void begin_branch(struct simt *s);
bool goes_on(struct simt *s);
void begin_loop(struct simt *s);
bool loops_on(struct simt *s);
void stay_in_loop(struct simt *s);
void leave_loop(struct simt *s);
void skip_turn(struct simt *s);
void begin_foot(struct simt *s);
void leave_kernel(struct simt *s);
void assign(struct simt *s, simt_vector *x);
void put_step(struct simt *s, enum site_kind kind, int argument);

#endif

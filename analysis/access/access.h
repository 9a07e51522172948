/*
 * access - a work-item's events as accesses, with the iteration of every enclosing loop.
 */
#ifndef ACCESS_H
#define ACCESS_H

#include "event.h"
#include "kernel_table.h"

struct access_decoder;
struct err;
struct str;

enum { ACCESS_LOOPS_BYTES = 1 << 26 }; /* maximum of access_loops_text() */

struct access_loop {
	uint32_t loop;      /* of the kernel's table */
	uint64_t iteration; /* from 0 */
};

/* An access, barrier or fence. */
struct access {
	uint32_t site;
	const struct site *facts;        /* of that site */
	uint64_t address;                /* 0 for barriers and fences */
	uint64_t bytes;                  /* 0 for barriers and fences */
	const struct access_loop *loops; /* outermost first, loop_count of them; borrowed */
	size_t loop_count;
};

/* Create a decoder for a kernel, whose table is borrowed. Free with access_decoder_free(). Returns
 * 0 or ERR_NOMEM. */
int access_decoder_create(struct access_decoder **out, const struct kernel_table *table,
                          struct err *err);

/* Free. NULL is allowed. */
void access_decoder_free(struct access_decoder *d);

/* Begin a work-item. */
void access_decoder_begin(struct access_decoder *d);

/*
 * Take the work-item's next event. Returns 1 with *out set when it is an access, barrier or fence
 * (loops borrowed until the next call); 0 when it is not; ERR_FORMAT for a site or loop that is not
 * in the table.
 */
int access_decoder_take(struct access_decoder *d, const struct event *e, struct access *out,
                        struct err *err);

/* Returns the loops around an access as "LOOP:ITERATION LOOP:ITERATION", outermost first, in *room,
 * whose contents are replaced. NULL without loops, or with *err set when there is no room. */
const char *access_loops_text(const struct access *a, struct str *room, struct err *err);

#endif

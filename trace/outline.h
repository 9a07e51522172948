/*
 * outline - what a work-item does and when, with references to its addresses instead of the
 * addresses.
 *
 * Made from a packed or plain stream (event.h). It is the expanded stream (expander.h), except that
 *   - the `value` of a site's event is its SOURCE: the position of the address in the original
 * stream. Work-items whose streams differ only in addresses and strides have the same outline;
 *   - consecutive iterations of a loop in which the same runs have an access, and nothing else
 *     happens, stay together as a BUNDLE: an event OUTLINE_BUNDLE | n (`value` = iterations, >= 2;
 *     `iteration` = low half of the first), followed by n events EVENT_RUN | site, whose values are
 *     the sources of the first iteration. In each iteration the n sites follow each other in this
 *     order; each source increases by one from one iteration to the next.
 */
#ifndef OUTLINE_H
#define OUTLINE_H

#include "event.h"

struct err;
struct kernel_table;
struct outline;

#define OUTLINE_BUNDLE EVENT_GRID /* which cannot occur in an outline otherwise */

/* A source: the number of the event of a site, run or grid in its stream, and the index of an
 * access. */
#define OUTLINE_INDEX_BITS 40

static inline uint64_t outline_record(uint64_t source)
{
	return source >> OUTLINE_INDEX_BITS;
}

/* The index of an access: in a run, the number of iterations before it; in a grid, row * count +
 * column. */
static inline uint64_t outline_index(uint64_t source)
{
	return source & (((uint64_t)1 << OUTLINE_INDEX_BITS) - 1);
}

/* `t` has passed its check and is borrowed until outline_free(). Returns 0 or ERR_NOMEM. */
int outline_create(struct outline **out, const struct kernel_table *t, struct err *err);

/* Free. NULL is allowed. */
void outline_free(struct outline *o);

/*
 * Make the outline of a stream of `count` events; *made is borrowed until the next call or
 * outline_free(). The stream is not trusted. Returns 0; ERR_FORMAT for an impossible stream;
 * ERR_LIMIT for one of 2^24 events, a record of 2^40 accesses, or a result of 2^28 events;
 * ERR_NOMEM.
 */
int outline_make(struct outline *o, const struct event *events, uint64_t count,
                 const struct event **made, uint64_t *made_count, struct err *err);

#endif

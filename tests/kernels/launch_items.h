/*
 * launch_items - the accesses of a recorded launch, work-item by work-item, with addresses relative
 * to the kernel's arguments, so that recordings of different runs and devices can be compared.
 *
 * One decoded group is in memory. For tests; corpus launches are small.
 */
#ifndef LAUNCH_ITEMS_H
#define LAUNCH_ITEMS_H

#include "access.h"
#include "recording.h"

struct err;
struct launch_items;

/* An access, prefetch, barrier or fence. */
struct relative_access {
	uint32_t site;
	enum site_kind kind;
	int64_t argument; /* the first whose buffer holds the address; -1: none does, or no address
	                   */
	uint64_t offset;  /* in that buffer, bytes; of argument -1 the address itself */
	uint64_t bytes;
	const struct access_loop *loops; /* outermost first */
	size_t loop_count;
};

/* Open a traced launch. Free with launch_items_close(). Returns what recording_open_launch() does,
 * or ERR_NOMEM. */
int launch_items_open(struct launch_items **out, const struct recording *r, size_t launch,
                      struct err *err);

/* Free. NULL is allowed. */
void launch_items_close(struct launch_items *l);

/* True when every group is there and nothing was lost. */
bool launch_items_is_whole(const struct launch_items *l);

/* Decode group g; what was borrowed before is gone. Returns 0, ERR_FORMAT, ERR_IO, ERR_NOMEM. */
int launch_items_group(struct launch_items *l, uint64_t g, struct err *err);

/* Work-items of the decoded group; the accesses of one of them, *count of them, borrowed. */
uint32_t launch_items_count(const struct launch_items *l);
const struct relative_access *launch_items_of(const struct launch_items *l, uint32_t item,
                                              size_t *count);

/* "read 2+16 4 bytes at site 3, 1:5": into text[size]. `a` may be NULL: "nothing". */
void relative_access_text(const struct relative_access *a, char *text, size_t size);

/* Whether they are the same, site and all. */
bool relative_access_equal(const struct relative_access *a, const struct relative_access *b);

#endif

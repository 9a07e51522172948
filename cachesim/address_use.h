/*
 * address_use - measures how much of each line the load that brings it uses, and how often the line
 * is used again: the inputs of Huangfu's criterion (2017, Eq. 3.1), and the bypass lists that
 * follow from it.
 *
 *     bypass A if U * (1 + R) < 1
 *
 * It observes the L1s of all SMs (l1_observer.h) while they cache everything, over one or several
 * launches of a kernel. For a line A on an SM, over all its stays in L1 that a read began:
 *
 *     U = sum of the bytes that the first reads requested / sum of the bytes moved
 *     R = sum of further uses / number of stays
 *
 * So U is a ratio of sums, not an average of ratios: A is cached or bypassed for all of its stays.
 * With U defined so, U * (1 + R) is the ratio of the bytes that loads would request past L1, if
 * each requested as many as the first ones, to the bytes that L1 moved: the traffic that the
 * criterion lowers. (The paper defines a "utilization rate" and a "reuse time" of an address, but
 * not how to average them.) A stay that a write began is not counted, nor are its later reads. A
 * further use is a read that finds the line, in L1 or on its way. A sector miss, which moves bytes,
 * is one too.
 *
 * The criterion ignores that a bypassing read moves whole sectors of 32 bytes, and that later reads
 * may request more or less than the first: only a replay shows that.
 *
 * The sums of a site or buffer are those of the stays that a read of that site, or from that
 * buffer, began. The sums of an argument are those of the sites whose pointer comes from it.
 *
 * Memory: 24 bytes for each line and SM, in tables that are 3/8 to 3/4 full: 32 to 64. At most
 * `line_limit` lines over all SMs, an equal share for each. Stays of further lines count for sites
 * and buffers, but are dropped from lines. So are stays that would take a line's sums on an SM past
 * 2^32.
 */
#ifndef ADDRESS_USE_H
#define ADDRESS_USE_H

#include "l1_observer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * use_table - sums for each line that an SM's L1 had (private to this room): open addressing with
 * linear probing, at most 3/4 full, doubling. 24 bytes a place.
 */

struct l1_residency;

struct use_entry {
	uint64_t line;
	uint32_t stays; /* 0: the place is free */
	uint32_t first_bytes;
	uint32_t bytes_moved;
	uint32_t uses;
};

/* All zeros but the limit is empty. */
struct use_table {
	struct use_entry *places;
	size_t count;
	size_t capacity;    /* 0, or a power of two */
	size_t limit_count; /* lines */
};

enum use_outcome { USE_ADDED, USE_DROPPED, USE_FAILED };

struct address_use;
struct bypass_list;
struct err;

/* The most rules of a bypass list; 256 MiB. */
#define ADDRESS_USE_LINES ((size_t)1 << 22)

/* Stays of lines that reads began. */
struct address_use_sum {
	uint64_t stays;
	uint64_t first_bytes; /* that the first reads requested */
	uint64_t bytes_moved;
	uint64_t uses; /* further reads */
};

/* The sums of a site or a buffer. */
struct address_use_row {
	uint64_t reads; /* requests to L1, whatever brought the line */
	struct address_use_sum sum;
};

struct address_use_line {
	uint64_t line; /* address of its first byte */
	int64_t sm;    /* -1: summed over all SMs */
	struct address_use_sum sum;
};

struct address_use_setup {
	uint32_t sm_count;
	size_t site_count;
	size_t buffer_count;
	size_t line_limit; /* 0: ADDRESS_USE_LINES */
};

/* Create an observer without sums. Free with address_use_free(). Returns 0 or ERR_NOMEM. */
int address_use_create(struct address_use **out, const struct address_use_setup *setup,
                       struct err *err);

/* Free. NULL is allowed. */
void address_use_free(struct address_use *u);

/* Pass it as replay_options.observer, with the struct address_use as the context, for each
 * launch of the kernel. Sums continue over launches. */
const struct l1_observer *address_use_observer(void *use, uint32_t sm_id);

/* Add up the SMs' sums, after the launches. May be repeated, also after further launches.
 * Returns 0 or ERR_NOMEM. The functions below need it. */
int address_use_end(struct address_use *u, struct err *err);

/* Borrowed. By number; for buffers row 0 is memory in no known buffer, row n + 1 buffer n. */
const struct address_use_row *address_use_sites(const struct address_use *u);
const struct address_use_row *address_use_buffers(const struct address_use *u);
const struct address_use_row *address_use_total(const struct address_use *u);

/* The number of stays that were dropped from lines. */
uint64_t address_use_dropped(const struct address_use *u);

/*
 * Every line, per SM or merged, by address and then by SM; the caller frees *rows. Returns 0 or
 * ERR_NOMEM.
 */
int address_use_lines(const struct address_use *u, bool is_merged, struct address_use_line **rows,
                      size_t *count, struct err *err);

/*
 * Add to *list an address rule for each line that the criterion selects, for this kernel (NULL:
 * all): with its SM, or merged. *taken, which may be NULL, is the sum over them. Returns 0,
 * ERR_NOMEM, or an error of bypass_list_add().
 */
int address_use_rules(const struct address_use *u, bool is_merged, char *kernel,
                      struct bypass_list *list, struct address_use_sum *taken, struct err *err);

/* Eq. 3.1, exactly; false without a stay. */
bool address_use_is_poor(const struct address_use_sum *s);

/* U and R; 0 without a stay. With l1_write = back_allocate a load may move nothing: U is 0. */
double address_use_u(const struct address_use_sum *s);
double address_use_r(const struct address_use_sum *s);

void address_use_add(struct address_use_sum *sum, const struct address_use_sum *more);

#endif

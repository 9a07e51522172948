/*
 * address_use - how much of each line the load that brings it uses, and how often it is used again:
 * what Huangfu's criterion asks for (2017, Eq. 3.1), and the lists that follow from it.
 *
 *     bypass A when U * (1 + R) < 1
 *
 * It observes the L1s of all SMs (l1_observer.h) while they cache everything, over one launch or
 * several of a kernel. For a line A on an SM, of all its stays in L1 that a read began:
 *
 *     U = sum of the bytes that the first reads asked for / sum of the bytes that were moved
 *     R = sum of further uses / number of stays
 *
 * So U is a ratio of sums, not a mean of ratios: a list is kept or bypassed for all stays of A, and
 * with U so defined U * (1 + R) is the bytes that loads would ask for past L1, each as many as the
 * first ones did, over those that L1 moved: the traffic that the criterion is to lower. (The paper
 * says "utilization rate" and "reuse time" of an address and not how it averages.) A stay that a
 * write began is no load and counts nowhere, its later reads neither. A further use is a read that
 * finds the line, there or on its way, a sector miss too, which moves bytes.
 *
 * The criterion does not see that what goes past L1 moves whole sectors of 32 bytes, nor that
 * those who come later may ask for more or less than the first: only a replay tells.
 *
 * The same sums by site and by buffer are those of the stays that a read of that site, or from
 * that buffer, began; of an argument, those of the sites whose pointer comes from it.
 *
 * Memory: 24 bytes for each line and SM, in tables 3/8 to 3/4 full: 32 to 64. At most `line_limit`
 * lines of all SMs, shared equally among these; stays of further lines count for sites and buffers
 * but have no line, and are dropped. So are stays that would take a line's sums on an SM past 2^32.
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

/* As many as a bypass list may have rules; 256 MiB. */
#define ADDRESS_USE_LINES ((size_t)1 << 22)

/* Stays of lines that reads began. */
struct address_use_sum {
	uint64_t stays;
	uint64_t first_bytes; /* that the first reads asked for */
	uint64_t bytes_moved;
	uint64_t uses; /* further reads */
};

/* Of a site, or a buffer. */
struct address_use_row {
	uint64_t reads; /* requests that L1 was asked, whoever brought the line */
	struct address_use_sum sum;
};

struct address_use_line {
	uint64_t line; /* address of its first byte */
	int64_t sm;    /* -1: all that had it, summed */
	struct address_use_sum sum;
};

struct address_use_setup {
	uint32_t sm_count;
	size_t site_count;
	size_t buffer_count;
	size_t line_limit; /* 0: ADDRESS_USE_LINES */
};

/* Nothing seen yet. Free with address_use_free(). Returns 0 or ERR_NOMEM. */
int address_use_create(struct address_use **out, const struct address_use_setup *setup,
                       struct err *err);

/* Free. NULL is allowed. */
void address_use_free(struct address_use *u);

/* Give it to replay_options.observer, with the struct address_use as the context: for each launch
 * of the kernel. It goes on where the last launch ended. */
const struct l1_observer *address_use_observer(void *use, uint32_t sm_id);

/* The launches are over: add up what the SMs have. May be repeated, also after further launches.
 * Returns 0 or ERR_NOMEM; what follows is only of use after it. */
int address_use_end(struct address_use *u, struct err *err);

/* Borrowed. By number; of buffers row 0 is what lies in no known one, row n + 1 buffer n. */
const struct address_use_row *address_use_sites(const struct address_use *u);
const struct address_use_row *address_use_buffers(const struct address_use *u);
const struct address_use_row *address_use_total(const struct address_use *u);

/* How many stays were dropped from lines. */
uint64_t address_use_dropped(const struct address_use *u);

/*
 * Every line, per SM or merged, by address and then by SM; *rows is the caller's to free().
 * Returns 0 or ERR_NOMEM.
 */
int address_use_lines(const struct address_use *u, bool is_merged, struct address_use_line **rows,
                      size_t *count, struct err *err);

/*
 * Add to *list an address rule for each line that the criterion names, of this kernel (NULL: of
 * all): with its SM, or merged. *taken, which may be NULL, is the sum over them. Returns 0,
 * ERR_NOMEM, or what bypass_list_add() does.
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

/*
 * reorder_config - the positions of all accesses of all warps in a static order, as text: the
 * analysis of a kernel writes it and the reorder unit reads it (Huangfu and Zhang, ISORC 2016; text
 * form of section 4.4.4 of Huangfu 2017).
 *
 *     -num_pcs 2                              accesses of the kernel, in static order
 *     -pc_addr [64, 80]                       their addresses in the code
 *     -grid [1, 2, 1]                         groups in each dimension
 *     -block [16, 4, 1]                       work-items of a group in each dimension
 *     Block [0, 0, 0]                         each group, x first,
 *     Warp0 [1, 0]                            with each warp: which accesses it makes,
 *     Warp0 [[[0, 128, 256, 384], L], None]   and at which lines; L load, S store
 *
 * Conventions of this program where the paper does not specify: an instruction that is executed in
 * several iterations of a loop is one access for each vector of iterations, each time with the same
 * address; the address is the number of the site; A is an atomic, which the paper does not have.
 * Spaces, empty lines and any line endings are allowed between words.
 *
 * Addresses are stored but not used: the order needs only the flags.
 */
#ifndef REORDER_CONFIG_H
#define REORDER_CONFIG_H

#include "array.h"

#include <stdint.h>

struct err;
struct group_stream;
struct kernel_table;
struct launch_shape;
struct str;

enum {
	REORDER_PLACES_MAX = 1 << 20,   /* accesses of a kernel */
	REORDER_WARPS_MAX = 1 << 24,    /* of all groups, including groups without events */
	REORDER_ACCESSES_MAX = 1 << 26, /* of all warps; also the limit for addresses */
};

/* An access that a warp makes. */
struct reorder_access {
	uint32_t place; /* number among the kernel's accesses */
	uint32_t line_count;
	uint64_t first_line; /* of reorder_config.lines */
	char kind;           /* 'L', 'S' or 'A' */
};

struct reorder_config {
	struct array places;   /* uint64_t: address in the code of each access */
	uint64_t groups[3];    /* in each dimension */
	uint64_t items[3];     /* of a group */
	struct array warps;    /* size_t: first warp of each group */
	struct array first;    /* size_t: first access of each warp */
	struct array accesses; /* struct reorder_access, places ascending in a warp */
	struct array lines;    /* uint64_t */
};

/* Make *c empty. No allocation. */
void reorder_config_init(struct reorder_config *c);

/* Free what it owns; *c is then empty. Accepts a zeroed struct. */
void reorder_config_release(struct reorder_config *c);

/*
 * Build a configuration: add a group, then each of its warps, then each access of a warp, whose
 * lines are in c->lines from first_line on. Each returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int reorder_config_add_group(struct reorder_config *c, struct err *err);
int reorder_config_add_warp(struct reorder_config *c, struct err *err);
int reorder_config_add_access(struct reorder_config *c, const struct reorder_access *a,
                              struct err *err);

/* The accesses of a warp of a group, both of which must exist: *count of them, borrowed. The number
 * of warps of a group. */
const struct reorder_access *reorder_config_warp(const struct reorder_config *c, uint64_t group,
                                                 uint32_t warp, size_t *count);
uint32_t reorder_config_warp_count(const struct reorder_config *c, uint64_t group);

/*
 * Read a text into *c, which must be empty; `file` names it in messages. Returns 0; ERR_FORMAT
 * ("FILE:LINE: ...") for anything that is not in the form above, lacks a group, or has flags that
 * contradict the lists; ERR_LIMIT; ERR_NOMEM. Release *c in any case.
 */
int reorder_config_parse(struct reorder_config *c, const char *file, const char *text,
                         struct err *err);

/* Read a file of at most 1 GiB; "-" is standard input. Returns as reorder_config_parse() does, or
 * ERR_IO. */
int reorder_config_load(struct reorder_config *c, const char *file, struct err *err);

/* Append the configuration as reorder_config_parse() reads it. Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int reorder_config_print(const struct reorder_config *c, struct str *out, struct err *err);

/* Check that *c was made for launches of this shape. Returns 0, or ERR_FORMAT with the difference.
 */
int reorder_config_check(const struct reorder_config *c, const struct launch_shape *shape,
                         struct err *err);

/*
 * Set the rank (group_stream_rank()) of each instruction of a group's stream to the place of its
 * access. Returns 0; ERR_FORMAT if a warp of the stream makes other accesses than the configuration
 * has; ERR_NOMEM.
 */
int reorder_config_rank(const struct reorder_config *c, const struct kernel_table *table,
                        struct group_stream *s, struct err *err);

#endif

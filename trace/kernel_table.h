/*
 * kernel_table - the static facts of one instrumented kernel: its sites, loops and arguments. The
 * passes make it, the recording stores it, and everything downstream reads it.
 *
 * Sites are numbered from 0 in reverse post-order of the control-flow graph, and the sites of a
 * loop are contiguous. So of two sites in the same iteration of all loops that they share, the one
 * with the smaller number comes first.
 */
#ifndef KERNEL_TABLE_H
#define KERNEL_TABLE_H

#include "site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * loop_places - the position of each loop of a kernel in the code of the loop around it; private to
 * trace/.
 *
 * Positions order what happens in one iteration: site s has 2s + 2, a loop 2f + 1, where f is its
 * lowest site at any depth. FORMAT.md, section "Predictions".
 */

struct kernel_table;

/* Set positions[l] for each loop l; 0 for a loop without sites. */
void loop_places_fill(const struct kernel_table *t, uint32_t *positions);

static inline uint32_t loop_places_of_site(uint32_t site)
{
	return 2 * site + 2;
}

/*
 * kernel_table_limits - how large a kernel table may be; private to trace/.
 *
 * Far above what compilers make, but low enough that a hostile manifest cannot claim much memory.
 */

#define KERNEL_SITES_MAX       ((size_t)1 << 20)
#define KERNEL_LOOPS_MAX       ((size_t)1 << 20)
#define TABLE_ARGUMENTS_MAX    ((size_t)1 << 12)
#define KERNEL_UNRECORDED_MAX  ((size_t)1 << 20)
#define KERNEL_DIFFERENCES_MAX ((size_t)1 << 12)
#define KERNEL_INLINED_MAX     ((size_t)1 << 10)
#define KERNEL_SPACE_MAX       4u
#define KERNEL_LANES           32u               /* of the layout that is interleaved by lane */
#define TABLE_KERNELS_MAX      ((size_t)1 << 16) /* of one program, or of one recording */

struct err;

/*
 * A site without words of its own from the device. Its events come with the words of other sites in
 * the same node of the graph, which are passed whenever it is (probe_abi.h). Its address is the
 * last one of its leader, plus an offset, plus a difference that the device reports.
 */
struct companion {
	uint32_t site;
	uint32_t leader;    /* site */
	int64_t offset;     /* bytes */
	int32_t difference; /* number of the difference, or -1 */
	uint32_t after;     /* the site, leader or later, with whose word its event comes */
};

struct loop {
	int32_t parent; /* enclosing loop (of the table), or -1; parent < own number */
	uint32_t depth; /* 1 for a loop that lies in no other */
	struct place place;
};

struct kernel_argument {
	char *name;      /* "" when unknown */
	char *type;      /* as written, "" when unknown */
	uint32_t space;  /* enum address_space, of a pointer; 0: not a pointer */
	bool is_written; /* false only if the kernel provably never writes through it */
};

/* A construct that accesses memory and is not recorded; it is always reported. */
struct unrecorded {
	char *what; /* "image read", "async_work_group_copy", ... */
	struct place place;
};

/*
 * In count mode, how often a site is passed: `factor` times the sum of a counter cell over all
 * work-items, or `factor` times the number of work-items.
 */
struct site_count {
	int32_t cell; /* or -1: each work-item passes the site `factor` times */
	uint64_t factor;
};

#define SITE_FACTOR_MAX ((uint64_t)1 << 40)

/* In a table that was read, strings that may be "" are never NULL; elsewhere NULL means "". */
struct kernel_table {
	char *name;
	char *symbol; /* of a C++ kernel in a recording that was read: its name in the program's
	                 code, "_Z4copyPf" where `name` is "copy"; NULL: `name` */
	struct site *sites;
	size_t site_count;
	struct loop *loops;
	size_t loop_count;
	struct kernel_argument *arguments; /* of the program, without the hidden one */
	size_t argument_count;
	struct unrecorded *unrecorded;
	size_t unrecorded_count;
	struct companion *companions; /* by their sites, ascending */
	size_t companion_count;
	struct site_count *counts; /* per site; NULL: not in count mode */
	bool *is_applied; /* per site: its load was changed to bypass L1 (--apply); NULL: none */
	uint32_t counter_count; /* cells of 64 bits (probe_abi.h); those of one bit follow */
	uint32_t cell_count;
	uint32_t difference_count; /* reported by the launch's first work-item, for companions */
	bool writes_unknown;       /* may write through a pointer from no argument */
	bool is_repeatable;        /* changes only memory: no printf, image write, pipe */
	bool is_irreducible; /* its control flow was irreducible: SIMT order is a convention there
	                      */
	bool has_conditional_barrier; /* an if or a return skips a barrier */
	enum access_level level;      /* accesses that are recorded */
	/*
	 * The size of its variables in local memory. Exact for a CUDA kernel, whose OpenCL runtime
	 * counts variables of ours too, and whose argument in local memory has one byte more than
	 * the program asked for. Otherwise a lower bound: a device's compiler may add padding. POCL
	 * 6 does not count variables.
	 */
	bool is_local_exact;
	uint64_t local_bytes;
	uint32_t local_groups; /* groups of a launch in which accesses to local memory are recorded
	                          (launch_shape.h); 0: all */
	uint32_t item_words;   /* words of a work-item's slot in the device buffer; 0: chunks */
	uint32_t least_words;  /* an estimate of the fewest words that a typical work-item writes */
	uint32_t lanes;        /* of the layout for which the code was made: 1, 32; 0: imported */
	char *records;         /* what the probes write: "affine" (runs, grids and companions where
	                          addresses	 follow a rule, else every access), "raw" (every access),
	                          "count"	 (how	 often each site was reached), "none"; "" when
	                          imported:	 not	 known */
	char *refusal;         /* why the door cannot take the kernel, a sentence; NULL: it can */
};

/* Free what the table owns and zero it; not the struct. Accepts a zeroed table. */
void kernel_table_release(struct kernel_table *t);

/*
 * Copy the facts on which the encoding of events depends: kinds, sizes and loops of the sites,
 * parents of the loops, is_irreducible. The caller releases the copy. Returns 0 or ERR_NOMEM.
 */
int kernel_table_copy_codes(struct kernel_table *to, const struct kernel_table *from,
                            struct err *err);

/*
 * Check that the table is consistent: numbers in range, loops before their children, depths right,
 * a loop's sites contiguous, companions after the sites that they come with. Returns 0 or
 * ERR_FORMAT with "kernel NAME: site 3: ...".
 */
int kernel_table_check(const struct kernel_table *t, struct err *err);

/*
 * The tables of all kernels of one program as a JSON file, which the instrumenter passes to the
 * recorder. Reading allocates *tables (free each with kernel_table_release(), the array
 * with free()) and checks them. Returns 0, ERR_IO, ERR_FORMAT, ERR_NOMEM.
 */
int kernel_tables_write(const char *path, const struct kernel_table *tables, size_t count,
                        struct err *err);
int kernel_tables_read(const char *path, struct kernel_table **tables, size_t *count,
                       struct err *err);

/* Whether it has accesses to local memory, in all groups or in some. Barriers do not count. */
bool kernel_table_has_local(const struct kernel_table *t);

/* Returns the kernel's name in the program's code, in PTX and in bypass lists. Borrowed. */
char *kernel_table_symbol(const struct kernel_table *t);

/* Returns the companion that a site is, or NULL. */
const struct companion *kernel_table_companion(const struct kernel_table *t, uint32_t site);

/*
 * count_cells - sums of the work-items' counter cells (probe_abi.h, count mode), and the counts of
 * sites computed from them (struct site_count). Sums that do not fit in 64 bits stay at 2^64 - 1.
 */

/*
 * Add the cells of a group of `items` work-items, all of whose words begin at `words`, to
 * sums[t->cell_count].
 */
void count_cells_add(const struct kernel_table *t, const uint64_t *words, uint32_t items,
                     uint64_t *sums);

/* Compute the count of each site from sums over `items` work-items, and add it to
 * counts[t->site_count]. */
void count_cells_expand(const struct kernel_table *t, const uint64_t *sums, uint64_t items,
                        uint64_t *counts);

#endif

/*
 * stats_run - the statistics of `replay --stats`: of the current launch, and sums over finished
 * launches, by site for each kernel and by buffer for all.
 */
#ifndef STATS_RUN_H
#define STATS_RUN_H

#include "sum_rows.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct gpu;
struct l1_stats;
struct miss_curve;
struct recorded_launch;
struct recording;
struct replay_options;

/* Those before `reuse` are the kinds of sum_rows.h, in their order. */
enum stats_section {
#define STATS_SECTION(name, text) STATS_##name,
#include "stats_sections.def"
#undef STATS_SECTION
	STATS_SECTIONS
};

/* "lines", ... */
const char *stats_section_name(enum stats_section section);

/* The source of a table's rows; everything is borrowed. */
struct stats_source {
	const struct recording *recording;
	uint32_t kernel;
	const struct recorded_launch *launch; /* NULL: several */
	const struct l1_stats_list *lists;    /* L1_STATS_TABLES lists */
	const struct l1_stats_row *all;       /* their sum */
};

/* Make the rows as sum_rows_make() does; groups and windows only of one launch. */
int stats_source_rows(const struct stats_source *from, enum sum_kind kind, struct sum_rows *rows,
                      struct err *err);

/* Returns the last group or cycle of such a row. */
uint64_t stats_source_last(const struct stats_source *from, const struct sum_rows *rows,
                           const struct sum_row *row);

/* The launches of a kernel, or all. Only the table of sites, or that of buffers, has rows. */
struct stats_launches {
	uint64_t launches;
	struct l1_stats_list lists[L1_STATS_TABLES];
	struct l1_stats_row all;
};

/* Zeroed: no launch. */
struct stats_sum {
	const struct recording *recording; /* borrowed */
	struct stats_launches *kernels;    /* of the recording */
	uint32_t kernel_count;
	struct stats_launches everything;
};

/* Get the rows of a kernel, or of all launches. False: there are no rows of sites, of buffers. */
bool stats_sum_kernel(const struct stats_sum *sum, uint32_t kernel, struct stats_source *from);
bool stats_sum_all(const struct stats_sum *sum, struct stats_source *from);

struct stats_run {
	/* Set by the caller. */
	bool is_wanted[STATS_SECTIONS];
	bool is_any_wanted;
	uint64_t top; /* rows of a table; UINT64_MAX: all */
	uint64_t window_cycles;
	/* Of the current launch; NULL if not requested. */
	struct l1_stats *l1;
	struct miss_curve *curve;
	struct stats_sum sum; /* of the finished launches */
};

/*
 * Call these before and after replay_launch(): begin sets the callbacks of its options, end adds
 * up. They return 0, ERR_CONFIG or ERR_NOMEM. Reports are possible between end and release. Every
 * begin needs a release, which may be repeated; stats_run_free() frees the rest.
 */
int stats_run_begin(struct stats_run *s, const struct recording *r, size_t launch,
                    const struct gpu *gpu, struct replay_options *options, struct err *err);
int stats_run_end(struct stats_run *s, const struct recording *r, size_t launch, struct err *err);
void stats_run_release(struct stats_run *s);
void stats_run_free(struct stats_run *s);

/* Returns the source of the rows of the current launch. */
struct stats_source stats_run_source(const struct stats_run *s, const struct recording *r,
                                     size_t launch);

/* Returns the setup of l1_stats_create() for a launch on a GPU, without tables. */
struct l1_stats_setup stats_run_setup(const struct recording *r, size_t launch,
                                      const struct gpu *gpu);

#endif

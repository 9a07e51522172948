/*
 * stats_run - the statistics that `replay --stats` asks for: which they are, and those of the
 * launch at work.
 */
#ifndef STATS_RUN_H
#define STATS_RUN_H

#include "stats_sum.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct gpu;
struct l1_stats;
struct miss_curve;
struct recording;
struct replay_options;

/* Those before `reuse` are the kinds of sum_rows.h, in their order. */
enum stats_section {
#define STATS_SECTION(name, text) STATS_##name,
#include "stats_sections.def"
#undef STATS_SECTION
	STATS_SECTIONS
};

/* Which are wanted; then of the launch at work. The first four are the caller's. */
struct stats_run {
	bool is_wanted[STATS_SECTIONS];
	bool is_any_wanted;
	uint64_t top; /* rows of a table; UINT64_MAX: all */
	uint64_t window_cycles;
	/* Of the launch at work; NULL where nothing asks for it. */
	struct l1_stats *l1;
	struct miss_curve *curve;
	struct stats_sum sum; /* of the launches that ended */
};

/*
 * Before and after replay_launch(): begin has it tell its options' callbacks, end adds up. Returns
 * 0, ERR_CONFIG or ERR_NOMEM. Reports are possible from end to release, which goes with every begin
 * and may be repeated; stats_run_free() releases the rest.
 */
int stats_run_begin(struct stats_run *s, const struct recording *r, size_t launch,
                    const struct gpu *gpu, struct replay_options *options, struct err *err);
int stats_run_end(struct stats_run *s, const struct recording *r, size_t launch, struct err *err);
void stats_run_release(struct stats_run *s);
void stats_run_free(struct stats_run *s);

/* Where the rows of the launch come from. */
struct stats_source stats_run_source(const struct stats_run *s, const struct recording *r,
                                     size_t launch);

/* "lines", ... */
const char *stats_section_name(enum stats_section section);

#endif

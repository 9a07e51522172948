/*
 * report_data - a recording's results on a GPU: the numbers of all launches together, and of each
 * launch, kernel, source line, site, argument and buffer; and the findings. For `report` and for
 * commands that report or compare the same.
 *
 * Made by one replay of each launch, with the observers of `replay --stats`: the numbers are the
 * same. Plain structs and arrays, owned by the report_data unless they are borrowed from the
 * recording. Nothing is printed here.
 *
 * Memory: about 0.7 KB for a launch, 1 KB for a site, 0.2 KB for a set of each kernel.
 */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include "counters.h"
#include "finding.h"
#include "hot_lines.h"
#include "launch_summary.h"
#include "player.h"
#include "source_text.h"
#include "sum_rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct site;
struct work_watch;

/* For a launch, the launches of a kernel, or all. */
struct report_numbers {
	struct l1_stats_row l1;
	uint64_t cycles;       /* until the last SM is done; summed over launches */
	uint64_t instructions; /* warp memory instructions */
	uint64_t lanes;        /* accesses */
	uint64_t unmapped_lanes;
	uint64_t groups;
	uint64_t bytes_to_l2;
	uint64_t atomic_waits; /* turns that atomics wait for others on their word (hot_lines.h) */
	struct side_counts side;
	/* Groups of launches whose kernels access local memory; those in which these accesses were
	 recorded and replayed; and the resulting standard error of finding_local_turns(). Errors of
	 launches add up: launches of one shape have the same sample and, if they are similar, the
	 same error. */
	uint64_t local_groups, local_sampled;
	double local_error_turns;
	struct l2_counters l2; /* with l2 = on, else 0 */
	struct dram_counters dram;
};

struct report_launch {
	size_t launch;   /* index in recording->launches */
	uint64_t number; /* as for --launch */
	uint32_t kernel; /* of the recording */
	bool is_played;
	bool is_whole;                /* its file is complete */
	char *reason;                 /* why it was not replayed, or NULL */
	uint32_t resident_groups;     /* on an SM */
	struct report_numbers counts; /* 0 if it was not replayed */
};

/* The number of reads that would miss in an LRU cache of this many lines: fully associative, and
 * with the GPU's sets and as many ways as needed. UINT64_MAX: not known, or impossible. */
struct report_curve_point {
	uint64_t lines;
	uint64_t misses, set_misses;
	double error, lines_error; /* standard errors of misses and of lines (reuse_counts.h); 0:
	                              misses are exact */
};

struct report_curve {
	uint64_t reads;
	struct report_curve_point *points; /* by lines, a few for each doubling */
	size_t count;
	uint64_t enough_lines; /* the least number of lines beyond which misses do not decrease */
	uint64_t exact_lines;  /* lines beyond which misses are estimates; 0: none */
};

/* A kernel with a requested traced launch. Sorted by descending requests. */
struct report_kernel {
	uint32_t kernel;                         /* of the recording */
	const char *name;                        /* borrowed */
	uint64_t launches_played, launches_left; /* of the requested ones */
	struct report_numbers counts;
	size_t first_site, site_count;         /* in report_data.sites: all of its table */
	size_t first_line, line_count;         /* in report_data.lines */
	size_t first_argument, argument_count; /* in report_data.arguments */
	struct l1_stats_row *sets;             /* gpu.l1_sets rows; NULL: too many to count */
	struct l1_stats_reuse reuse;
	struct report_curve curve; /* without points if not requested */
	struct hot_lines hot;      /* with patterns */
	struct launch_link *links; /* to sites of earlier launches, with patterns; indexed like
	                              report_data.sites */
	size_t link_count;
};

/* A site: a memory instruction of a kernel, in the order of its table. Numbers that only patterns
 * or curves count are 0 without these. */
struct report_site {
	uint32_t kernel, site;    /* of the recording, and of its table */
	const struct site *facts; /* borrowed */
	struct site_sums sums;
};

/* A source line of a kernel, with its sites. Sorted by misses, then requests. */
struct report_line {
	uint32_t kernel;
	size_t site;      /* the first of its sites, in report_data.sites */
	const char *file; /* borrowed; NULL: not known; the row is for a single site */
	uint32_t line;
	char *text;       /* from source_text_copy(); NULL: the source is missing */
	int64_t argument; /* of the kernel, accessed by all its sites; -1: several, or not known */
	struct l1_stats_row l1;
	struct access_pattern pattern;
	struct side_counts side;
};

/* An argument of a kernel; -1: accesses without a known argument. */
struct report_argument {
	uint32_t kernel;
	int64_t argument;
	const char *name, *type; /* borrowed; "" when not known */
	struct l1_stats_row l1;
};

/* A buffer; -1: accesses outside known buffers. Sorted by misses, then requests. */
struct report_buffer {
	int64_t buffer;
	uint64_t bytes;
	char *names; /* arguments through which kernels access it, "A, B"; "" for none */
	struct l1_stats_row l1;
};

/* Maximum size of all programs' sources together: the last ones are left out. */
enum { REPORT_SOURCE_BYTES = 32 << 20 };

struct report_data {
	const struct recording *recording; /* borrowed, like */
	const struct replay_setup *setup;
	struct completeness completeness; /* of the recording, judged by its manifest */
	bool is_whole;                    /* the launches' files are complete */
	uint64_t launches_asked, launches_played;
	size_t launches_refused; /* that the GPU cannot hold */
	struct report_numbers total;
	struct report_curve curve;
	struct l1_stats_reuse reuse;
	struct report_kernel *kernels;
	size_t kernel_count;
	struct report_launch *launches; /* requested launches that have a line; by number */
	size_t launch_count;
	struct report_site *sites;
	size_t site_count;
	struct report_line *lines;
	size_t line_count;
	struct report_argument *arguments;
	size_t argument_count;
	struct report_buffer *buffers;
	size_t buffer_count;
	struct source_text *sources; /* of each program of the recording; empty: missing, or none of
	                                its kernels was requested */
	size_t source_count;
	size_t sources_left;          /* sources that exceed REPORT_SOURCE_BYTES */
	struct finding_list findings; /* by descending cost */
};

struct report_request {
	struct work_watch *watch; /* as in struct player; may be NULL */
	bool has_curves;          /* reuse distances */
	bool has_set_curves;      /* and those within sets, for curves only */
	bool has_patterns;        /* strides, hot lines and findings: doubles the time */
};

/*
 * Replay the launches and fill *d. A launch that was not traced or does not fit on the GPU has a
 * row with the reason; if it is the one of
 * --launch, this fails. Returns 0 or what upstream rooms return. Release in every case.
 */
int report_data_make(struct report_data *d, const struct replay_setup *setup,
                     const struct launch_choice *launches, const struct report_request *request,
                     struct err *err);
void report_data_release(struct report_data *d);

/* Returns what to report about the launches; the row of a refused launch has the reason. */
struct player_outcome report_data_outcome(const struct report_data *d);

/* Returns "findings", "nothing_found", or "unknown" if nothing was found but launches, accesses or
 * rules are missing. Static storage. */
const char *report_data_verdict(const struct report_data *d);

/* Returns the source of a kernel's program, or NULL. */
const struct source_text *report_data_source(const struct report_data *d, uint32_t kernel);

#endif

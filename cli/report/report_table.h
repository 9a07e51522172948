/*
 * report_table - the rows of report_data: of launches, kernels, sites, source lines, arguments and
 * buffers, and what they count.
 *
 * Plain structs; what is named as borrowed is the recording's, all else the report_data's.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "access_pattern.h"
#include "counters.h"
#include "hot_lines.h"
#include "l1_stats.h"
#include "launch_reuse.h"
#include "line_sharing.h"
#include "reuse_counts.h"
#include "side_counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;

/* Of a launch, the launches of a kernel, or all. */
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
	/* Groups of launches whose kernels have accesses to local memory, and of these those in
	   which they were recorded and played; the standard error of finding_local_turns() for
	   that. Errors of launches add up: launches of one shape have the same sample, and if
	   they are alike, the same error. */
	uint64_t local_groups, local_sampled;
	double local_error_turns;
	struct l2_counters l2; /* with l2 = on; else 0 */
	struct dram_counters dram;
};

struct report_launch {
	size_t launch;   /* index in recording->launches */
	uint64_t number; /* that --launch takes */
	uint32_t kernel; /* of the recording */
	bool is_played;
	bool is_whole;                /* nothing of it is missing */
	char *reason;                 /* why it was not played; else NULL */
	uint32_t resident_groups;     /* on an SM */
	struct report_numbers counts; /* 0 of one that was not played */
};

/* How many reads would miss with an LRU cache of this many lines: fully associative, and of the
 * GPU's sets with as many ways as that makes. UINT64_MAX: not known, or not for this many. */
struct report_curve_point {
	uint64_t lines;
	uint64_t misses, set_misses;
	double error, lines_error; /* as many misses more or less, of a cache with as many lines
	                              more or less (reuse_counts.h); 0: misses are exact */
};

struct report_curve {
	uint64_t reads;
	struct report_curve_point *points; /* by lines: a few for each doubling */
	size_t count;
	uint64_t enough_lines; /* the least for which more would not miss less */
	uint64_t exact_lines;  /* beyond which misses are estimates; 0: none are */
};

/* A kernel of which a traced launch was asked for; most requests first. */
struct report_kernel {
	uint32_t kernel;                         /* of the recording */
	const char *name;                        /* borrowed */
	uint64_t launches_played, launches_left; /* of those asked for */
	struct report_numbers counts;
	size_t first_site, site_count;         /* in report_data.sites: all of its table */
	size_t first_line, line_count;         /* in report_data.lines */
	size_t first_argument, argument_count; /* in report_data.arguments */
	struct l1_stats_row *sets;             /* gpu.l1_sets of them; NULL: too many to count */
	struct l1_stats_reuse reuse;
	struct report_curve curve; /* no points: not asked for */
	struct hot_lines hot;      /* with patterns */
	struct launch_link *links; /* to sites of earlier launches, with patterns; by
	                              report_data.sites */
	size_t link_count;
};

/* A site: a memory instruction of a kernel, in the order of its table. */
struct report_site {
	uint32_t kernel, site;    /* of the recording, and of its table */
	const struct site *facts; /* borrowed */
	struct l1_stats_row l1;
	struct access_pattern pattern; /* with patterns */
	struct line_share sharing;     /* with patterns */
	uint64_t atomic_waits;         /* as report_numbers has them */
	struct launch_saving again;    /* of what launches before it had; with patterns */
	struct side_counts side;
	struct reuse_bins distances; /* fully associative; 0 without curves */
};

/* A source line of a kernel: the sites in it. By misses, then requests. */
struct report_line {
	uint32_t kernel;
	size_t site;      /* the first of its sites, in report_data.sites */
	const char *file; /* borrowed; NULL: not known, the row is of that one site */
	uint32_t line;
	char *text;       /* source_text_copy(); NULL: the source is not there */
	int64_t argument; /* of the kernel, that all its sites access; -1: several, or not known */
	struct l1_stats_row l1;
	struct access_pattern pattern;
	struct side_counts side;
};

/* An argument of a kernel; -1: what no argument is known for. */
struct report_argument {
	uint32_t kernel;
	int64_t argument;
	const char *name, *type; /* borrowed; "" when not known */
	struct l1_stats_row l1;
};

/* A buffer; -1: in no known one. By misses, then requests. */
struct report_buffer {
	int64_t buffer;
	uint64_t bytes;
	char *names; /* the arguments through which kernels saw it, "A, B"; "" for none */
	struct l1_stats_row l1;
};

#endif

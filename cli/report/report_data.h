/*
 * report_data - what a recording shows on a GPU: the numbers of all launches together, of each, of
 * kernels, source lines, sites, arguments and buffers, and the findings; for `report` and for what
 * else tells or compares them.
 *
 * Made by one replay of each launch, with the observers of `replay --stats`: the numbers are the
 * same. Plain structs and arrays, all owned by the report_data; what is named as borrowed is the
 * recording's. Nothing is printed here.
 *
 * Memory: some 0.7 KB for a launch, 1 KB for a site, 0.2 KB for a set of each kernel.
 */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include "access_patterns.h"
#include "completeness.h"
#include "dram_counters.h"
#include "finding.h"
#include "hot_lines.h"
#include "l1_stats.h"
#include "l2_counters.h"
#include "line_sharing.h"
#include "reuse_counts.h"
#include "side_counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct launch_choice;
struct recording;
struct replay_setup;
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
	struct side_counts side;
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

/* How many reads would miss with an LRU cache of so many lines: fully associative, and of the GPU's
 * sets with as many ways as that makes. UINT64_MAX: not for so many. */
struct report_curve_point {
	uint64_t lines;
	uint64_t misses, set_misses;
};

struct report_curve {
	uint64_t reads;
	struct report_curve_point *points; /* by lines: a few for each doubling */
	size_t count;
	uint64_t enough_lines; /* the least for which more would not miss less */
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
};

/* A site: a memory instruction of a kernel, in the order of its table. */
struct report_site {
	uint32_t kernel, site;    /* of the recording, and of its table */
	const struct site *facts; /* borrowed */
	struct l1_stats_row l1;
	struct access_pattern pattern; /* with patterns */
	struct line_share sharing;     /* with patterns */
	struct side_counts side;
	struct reuse_bins distances; /* fully associative; 0 without curves */
};

/* A source line of a kernel: the sites in it. By misses, then requests. */
struct report_line {
	uint32_t kernel;
	size_t site;      /* the first of its sites, in report_data.sites */
	const char *file; /* borrowed; NULL: not known, the row is of that one site */
	uint32_t line;
	char *text;       /* the line without the blanks around it; NULL: the source is not there */
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

/* The source of a program. */
struct report_source {
	uint32_t program;
	const char *file; /* borrowed; relative to the recording */
	char *text;       /* NUL-terminated; NULL: not there */
	size_t bytes;
	size_t *line_starts; /* where each line begins, in text */
	size_t line_count;
};

struct report_data {
	const struct recording *recording; /* borrowed, as is */
	const struct replay_setup *setup;
	struct completeness completeness; /* of the recording, by its manifest */
	bool is_whole;                    /* the launches' files had everything */
	uint64_t launches_asked, launches_played;
	struct report_numbers total;
	struct report_curve curve;
	struct l1_stats_reuse reuse;
	struct report_kernel *kernels;
	size_t kernel_count;
	struct report_launch *launches; /* of those asked for that have a line; by number */
	size_t launch_count;
	struct report_site *sites;
	size_t site_count;
	struct report_line *lines;
	size_t line_count;
	struct report_argument *arguments;
	size_t argument_count;
	struct report_buffer *buffers;
	size_t buffer_count;
	struct report_source *sources; /* of each program of the recording */
	size_t source_count;
	struct finding_list findings; /* what costs most first */
};

struct report_request {
	bool has_curves;   /* reuse distances: a third of the time more */
	bool has_patterns; /* strides, hot lines and findings: likewise */
	/* Called before each launch, with what has been played of how many; NULL: not. */
	void (*progress)(void *context, size_t played, size_t launches);
	void *context;
};

/*
 * Replay the launches and fill *d. A launch that was not traced, or does not fit on the GPU, has a
 * row with its reason; if it is the one that was chosen, this fails. Returns 0 or what the rooms
 * upstream return. Release in every case.
 */
int report_data_make(struct report_data *d, const struct recording *r, struct replay_setup *setup,
                     const struct launch_choice *launches, const struct report_request *request,
                     struct err *err);
void report_data_release(struct report_data *d);

/* The row of a kernel of the recording; NULL: it has none. */
const struct report_kernel *report_data_kernel(const struct report_data *d, uint32_t kernel);

/* A line of a kernel's source, without its end, from 1 on, and its *length; borrowed. NULL: it is
 * not there, or `file` is another. */
const char *report_data_source_line(const struct report_data *d, uint32_t kernel, const char *file,
                                    uint32_t line, size_t *length);

/* Whether a site lies on the source line of a row. */
bool report_site_is_on_line(const struct report_site *site, const struct report_line *line);

#endif

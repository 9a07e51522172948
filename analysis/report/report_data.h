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

#include "completeness.h"
#include "finding.h"
#include "player.h"
#include "report_table.h"
#include "source_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct launch_choice;
struct recording;
struct replay_setup;
struct work_watch;

/* Sources of all programs together hold no more bytes than this: the last ones are not there. */
enum { REPORT_SOURCE_BYTES = 32 << 20 };

struct report_data {
	const struct recording *recording; /* borrowed, as is */
	const struct replay_setup *setup;
	struct completeness completeness; /* of the recording, by its manifest */
	bool is_whole;                    /* the launches' files had everything */
	uint64_t launches_asked, launches_played;
	size_t launches_refused; /* that the GPU cannot hold */
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
	struct source_text *sources; /* of each program of the recording; empty: not there, or none
	                                of its kernels was asked for */
	size_t source_count;
	size_t sources_left;          /* those that REPORT_SOURCE_BYTES has no room for */
	struct finding_list findings; /* what costs most first */
};

struct report_request {
	struct work_watch *watch; /* as a player's; may be NULL */
	bool has_curves;          /* reuse distances */
	bool has_set_curves;      /* and those within sets, of curves alone */
	bool has_patterns;        /* strides, hot lines and findings: about as long again */
};

/*
 * Replay the launches and fill *d. A launch that was not traced, or does not fit on the GPU, has a
 * row with its reason; if it is the one that was chosen, this fails. Returns 0 or what the rooms
 * upstream return. Release in every case.
 */
int report_data_make(struct report_data *d, const struct replay_setup *setup,
                     const struct launch_choice *launches, const struct report_request *request,
                     struct err *err);
void report_data_release(struct report_data *d);

/* What is to be said of the launches; why one was refused is in its row. */
struct player_outcome report_data_outcome(const struct report_data *d);

/* "findings", "nothing_found"; "unknown" where nothing was found and not everything was looked at:
 * launches, accesses or rules are missing. Static. */
const char *report_data_verdict(const struct report_data *d);

/* The source of a kernel's program; NULL: it is not there. */
const struct source_text *report_data_source(const struct report_data *d, uint32_t kernel);

#endif

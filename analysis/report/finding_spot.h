/*
 * finding_spot - what the rules of findings examine: an access of the source with all sites that it
 * became, and causes that several of them share (private to analysis/report).
 *
 * A finding is about a cause: the spots that a rule considers alike. It covers what they cost
 * together, and names the most costly spot and the most costly site of it.
 */
#ifndef FINDING_SPOT_H
#define FINDING_SPOT_H

#include "finding_ledger.h"
#include "report_data.h"
#include "site.h"

#include <stdbool.h>

struct err;
struct gpu;

enum finding_limit {
#define FINDING_LIMIT(NAME, value, text) FINDING_LIMIT_##NAME,
#include "findings.def"
#undef FINDING_LIMIT
	FINDING_LIMITS
};

/* The sites of a kernel with the same kind, line, argument and expression. A site without a line is
 * its own spot. */
struct finding_spot {
	const struct report_kernel *kernel;
	const struct report_site *const *sites; /* site_count of them, by number */
	size_t site_count;
	const struct site *facts; /* of the first */
	struct site_sums sums;
	double stock[FINDING_STOCKS];     /* turns of each */
	uint64_t hot_requests, hot_turns; /* to the kernel's hot lines (findings_cache.c) */
	bool is_uncoalesced;              /* finding_spot_is_uncoalesced() */
	double stream_share; /* of all lines that come in, if it brings them in to be read once */
};

/* The hottest lines of a kernel. */
struct finding_heat {
	uint64_t lines; /* how many take the share that makes lines hot */
	uint64_t requests, atomics, lanes, turns;
	struct hot_site *sites; /* the part of each site of the kernel */
};

/* The kernel being examined. */
struct finding_scene {
	const struct report_data *data;
	const struct gpu *gpu;
	uint64_t fill_bytes;          /* moved in a turn */
	double whole[FINDING_WHOLES]; /* turns of all launches */
	const struct report_kernel *kernel;
	struct finding_heat heat;
	struct finding_spot *spots; /* by their first site */
	size_t spot_count;
	struct finding_spot **spot_of;         /* of each of data->sites, of any kernel */
	const struct finding_spot *streams[2]; /* with the largest shares; or NULL */
};

/* Spots of one cause, the heaviest first. */
struct finding_cause {
	const struct finding_spot *const *spots;
	size_t count; /* at least one */
};

/*
 * A rule. is_of() returns whether a spot can have its cause; compare() orders spots by cause;
 * weigh() returns what a spot, or a single site of it, contributes to the cost: the finding names
 * the heaviest. claim() decides whether a cause is a finding; if so it sets is_found, fills the
 * evidence and `said`, and calls finding_save() for what would be saved.
 */
struct finder {
	bool (*is_of)(const struct finding_scene *s, const struct finding_spot *p);
	int (*compare)(const struct finding_spot *p, const struct finding_spot *q);
	uint64_t (*weigh)(const struct finding_scene *s, const struct finding_spot *p);
	void (*claim)(const struct finding_scene *s, const struct finding_cause *cause,
	              struct finding_claim *c);
};

extern const struct finder finding_uncoalesced, finding_misaligned, finding_divergent,
	finding_bank_conflict, finding_thrashing, finding_rewritten, finding_streaming,
	finding_false_reuse, finding_refetched, finding_set_conflict, finding_hot_line,
	finding_struct_array, finding_narrow, finding_uniform, finding_few_groups, finding_no_reuse,
	finding_accumulates, finding_group_atomics, finding_relaunched;

/* Orders for compare(): each spot has its own cause; all spots of the kernel share one; those that
 * access the same known argument share one. */
int finding_each_alone(const struct finding_spot *p, const struct finding_spot *q);
int finding_all_alike(const struct finding_spot *p, const struct finding_spot *q);
int finding_by_argument(const struct finding_spot *p, const struct finding_spot *q);

/* How the lanes of an access lie: each alone, in runs side by side, or all one stride apart. */
enum lane_shape { SCATTERED, RUNS, STRIDE };
enum lane_shape finding_spot_shape(const struct finding_spot *p);

/* The most frequent stride between lanes, without its sign. */
uint64_t finding_spot_stride(const struct finding_spot *p);

/* How many lanes lie side by side, or at one address, on average. */
double finding_spot_run_lanes(const struct finding_spot *p);

/* Sectors requested over the fewest that could carry the same bytes. Those of lanes that lie close
 * count as needed, wherever they begin: two halves of lines are as many sectors as a whole one. */
double finding_spot_sectors(const struct finding_spot *p);

/* Whether lanes need more requests than their bytes would, wherever these begin. */
bool finding_spot_is_uncoalesced(const struct finding_spot *p);

/* Whether all lanes of a warp read one address of what the kernel never writes. */
bool finding_spot_is_uniform(const struct finding_scene *s, const struct finding_spot *p);

/* Whether groups read enough bytes of the argument, often enough, for a tile in local memory to be
 * better. */
bool finding_spot_is_reused(const struct finding_scene *s, const struct finding_spot *p);

/* Whether the hottest lines of the kernel, once found, are a finding. */
bool finding_is_hot(const struct finding_scene *s);

/* `turns` as a share of the turns of all requests that L1 cannot serve. */
double finding_hot_share(const struct finding_scene *s, uint64_t turns);

/* Bytes of the hottest lines. */
double finding_hot_bytes(const struct finding_scene *s);

/* Find the hottest lines of s->kernel: all that are at least half as hot as the hottest, and as
 * many more as it takes to reach the share that is looked for, of one line or of several together.
 * Returns 0 or ERR_NOMEM; free heat.sites. */
int finding_heat_find(struct finding_scene *s, struct err *err);

/* Fill s->spots and s->spot_of, and `sites` with the kernel's sites, spot by spot. */
void finding_spots_make(struct finding_scene *s, const struct report_site **sites);

/* Add up `count` sites, which are a spot or a part of one. */
struct finding_spot finding_spot_sum(const struct finding_scene *s,
                                     const struct report_site *const *sites, size_t count);

/* Work-items of a full group, in the first launch of the kernel. */
uint64_t finding_group_items(const struct finding_scene *s);

double finding_limit(enum finding_limit limit);

/* a / b; 0 when b is. */
double finding_ratio(uint64_t a, uint64_t b);

/* Turns of the memory pipe that this many bytes take. */
double finding_turns(const struct finding_scene *s, uint64_t bytes);

/* Turns that atomics at hot lines wait beyond their requests. If very many sites meet on a line its
 * counts are scaled and rounded, and may have fewer turns than requests: then 0. */
double finding_hot_waits(const struct finding_spot *p);

/* Turns for the bytes of `misses` misses, each of the average size of the spot's misses. */
double finding_miss_turns(const struct finding_scene *s, const struct finding_spot *p,
                          double misses);

/* Add a number that the rule examined; with a limit, is_below: the limit is the most. */
void finding_show(struct finding *f, const char *name, const char *unit, double value);
void finding_show_limit(struct finding *f, const char *name, double value, enum finding_limit limit,
                        bool is_below);

/* Words for sentences, in static or given storage; quotations from the program are between two
 * CUDA_WORDS_QUOTE. */
enum { FINDING_WORDS_BYTES = 96 };
const char *finding_verb(const struct finding_spot *p); /* "reads", "writes", "updates" */
const char *finding_object(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct finding_spot *p);                 /* "B" */
const char *finding_number(char text[FINDING_WORDS_BYTES], double value); /* "32", "2.5" */
/* "; 71% of all misses, capacity", or "" */
const char *finding_misses(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct l1_stats_row *row);

/* "; seen in 32 of 1,024 groups" for an access to local memory of which only a sample is known; or
 * "" */
const char *finding_sample(char text[FINDING_WORDS_BYTES], const struct finding_spot *p);

/* "; the same at 5 other accesses", or "" */
const char *finding_others(char text[FINDING_WORDS_BYTES], uint64_t others);

#endif

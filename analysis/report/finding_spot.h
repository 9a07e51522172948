/*
 * finding_spot - what rules examine: an access of the source with all its sites, and causes that
 * several accesses share (private to analysis/report).
 *
 * A finding is about a cause: spots that a rule considers equal. It has their total cost, and names
 * the most costly spot and its most costly site.
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
	const struct report_site *const *sites; /* site_count sites, by number */
	size_t site_count;
	const struct site *facts; /* of the first */
	struct site_sums sums;
	double stock[FINDING_STOCKS];     /* turns of each stock */
	uint64_t hot_requests, hot_turns; /* to the kernel's hot lines (findings_cache.c) */
	bool is_uncoalesced;              /* finding_spot_is_uncoalesced() */
	double stream_share; /* share of all fetched lines, if it fetches lines that are read once
	                      */
};

/* The hottest lines of a kernel. */
struct finding_heat {
	uint64_t lines; /* number of lines with the share that makes them hot */
	uint64_t requests, atomics, lanes, turns;
	struct hot_site *sites; /* part of each site of the kernel */
};

/* The kernel being examined. */
struct finding_scene {
	const struct report_data *data;
	const struct gpu *gpu;
	uint64_t fill_bytes;          /* bytes moved in a turn */
	double whole[FINDING_WHOLES]; /* turns of all launches */
	const struct report_kernel *kernel;
	struct finding_heat heat;
	struct finding_spot *spots; /* by their first site */
	size_t spot_count;
	struct finding_spot **spot_of;         /* of each of data->sites, of any kernel */
	const struct finding_spot *streams[2]; /* those with the largest shares; or NULL */
};

/* Spots of one cause, by descending weight. */
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

/* The arrangement of an access's lanes: each alone, in runs side by side, or all one stride apart.
 */
enum lane_shape { SCATTERED, RUNS, STRIDE };
enum lane_shape finding_spot_shape(const struct finding_spot *p);

/* Returns the most frequent stride between lanes, without its sign. */
uint64_t finding_spot_stride(const struct finding_spot *p);

/* Returns how many lanes are side by side, or at one address, on average. */
double finding_spot_run_lanes(const struct finding_spot *p);

/* Returns the requested sectors divided by the minimum for the same bytes. Sectors of lanes that
 * are close to each other count as needed, wherever they begin: two halves of lines have as many
 * sectors as a whole line. */
double finding_spot_sectors(const struct finding_spot *p);

/* Whether lanes need more requests than their bytes require, wherever these begin. */
bool finding_spot_is_uncoalesced(const struct finding_spot *p);

/* Whether all lanes of a warp read one address, in memory that the kernel never writes. */
bool finding_spot_is_uniform(const struct finding_scene *s, const struct finding_spot *p);

/* Whether groups read enough bytes of the argument, often enough, for a tile in local memory to be
 * better. */
bool finding_spot_is_reused(const struct finding_scene *s, const struct finding_spot *p);

/* Whether the hottest lines of the kernel, once found, are a finding. */
bool finding_is_hot(const struct finding_scene *s);

/* Returns `turns` as a share of the turns of all requests that L1 cannot serve. */
double finding_hot_share(const struct finding_scene *s, uint64_t turns);

/* Returns the bytes of the hottest lines. */
double finding_hot_bytes(const struct finding_scene *s);

/* Find the hottest lines of s->kernel: all that are at least half as hot as the hottest, and as
 * many more as are needed to reach the threshold, of one line or of several together. Returns 0 or
 * ERR_NOMEM; free heat.sites. */
int finding_heat_find(struct finding_scene *s, struct err *err);

/* Fill s->spots and s->spot_of, and `sites` with the kernel's sites, spot by spot. */
void finding_spots_make(struct finding_scene *s, const struct report_site **sites);

/* Add up `count` sites, a spot or a part of one. */
struct finding_spot finding_spot_sum(const struct finding_scene *s,
                                     const struct report_site *const *sites, size_t count);

/* Returns the work-items of a full group in the kernel's first launch. */
uint64_t finding_group_items(const struct finding_scene *s);

double finding_limit(enum finding_limit limit);

/* Returns a / b, or 0 if b is 0. */
double finding_ratio(uint64_t a, uint64_t b);

/* Returns the turns of the memory pipe for this many bytes. */
double finding_turns(const struct finding_scene *s, uint64_t bytes);

/* Returns the turns that atomics at hot lines wait in addition to their requests. If very many
 * sites access a line, its counts are scaled and rounded and may have fewer turns than requests:
 * then 0. */
double finding_hot_waits(const struct finding_spot *p);

/* Returns the turns for the bytes of `misses` misses of the spot's average size. */
double finding_miss_turns(const struct finding_scene *s, const struct finding_spot *p,
                          double misses);

/* Add a number that the rule examined; is_below: the limit is a maximum. */
void finding_show(struct finding *f, const char *name, const char *unit, double value);
void finding_show_limit(struct finding *f, const char *name, double value, enum finding_limit limit,
                        bool is_below);

/* Return words for sentences, in static or the given storage. Quotations from the program are
 * between two CUDA_WORDS_QUOTE. */
enum { FINDING_WORDS_BYTES = 96 };
const char *finding_verb(const struct finding_spot *p); /* "reads", "writes", "updates" */
const char *finding_object(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct finding_spot *p);                 /* "B" */
const char *finding_number(char text[FINDING_WORDS_BYTES], double value); /* "32", "2.5" */
/* "; 71% of all misses, capacity", or "" */
const char *finding_misses(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct l1_stats_row *row);

/* "; seen in 32 of 1,024 groups" for an access to local memory that is known from a sample; or ""
 */
const char *finding_sample(char text[FINDING_WORDS_BYTES], const struct finding_spot *p);

/* "; the same at 5 other accesses", or "" */
const char *finding_others(char text[FINDING_WORDS_BYTES], uint64_t others);

#endif

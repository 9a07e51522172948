/*
 * finding_spot - what the rules of findings look at: an access of the source, with all sites that
 * it became, and those of them that have one cause (private to analysis/report).
 *
 * A finding is about a cause: the spots that a rule says are alike. It stands for what they cost
 * together, and names the one that costs most of it, and of that one's sites the one that does.
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

/* Sites of a kernel of one kind, line, argument and text. Without a line each site is one. */
struct finding_spot {
	const struct report_kernel *kernel;
	const struct report_site *const *sites; /* site_count of them, by number */
	size_t site_count;
	const struct site *facts; /* of the first */
	struct site_sums sums;
	double stock[FINDING_STOCKS];     /* turns of each */
	uint64_t hot_requests, hot_turns; /* to the kernel's hot lines (findings_cache.c) */
	bool is_uncoalesced;              /* finding_spot_is_uncoalesced() */
	double stream_share;              /* finding_spot_stream_share() */
};

/* The hottest lines of a kernel. */
struct finding_heat {
	uint64_t lines; /* that take at least the share that is asked for */
	uint64_t requests, atomics, lanes, turns;
	struct hot_site *sites; /* of each site of the kernel, what it has of these */
};

/* Of the kernel that is looked at. */
struct finding_scene {
	const struct report_data *data;
	const struct gpu *gpu;
	uint64_t fill_bytes;          /* that move in a turn */
	double whole[FINDING_WHOLES]; /* turns of all launches */
	const struct report_kernel *kernel;
	struct finding_heat heat;
	struct finding_spot *spots; /* by their first site */
	size_t spot_count;
	struct finding_spot **spot_of;         /* of each of data->sites, of any kernel */
	const struct finding_spot *streams[2]; /* with the largest shares; NULL: there is none */
};

/* Spots of one cause, the heaviest first. */
struct finding_cause {
	const struct finding_spot *const *spots;
	size_t count; /* at least one */
};

/*
 * A rule. `is_of` says whether a spot can be of a cause, `compare` orders spots by their causes,
 * `weigh` is what a spot, or a single site of it, has of what the finding costs: what it names has
 * most. `claim` says whether a cause is a finding, and if so fills evidence and said, and
 * says what it would save (finding_save()).
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

/* Orders of causes: each spot has one of its own; all spots of the kernel have the same; those that
 * access one argument, if it is known. */
int finding_each_alone(const struct finding_spot *p, const struct finding_spot *q);
int finding_all_alike(const struct finding_spot *p, const struct finding_spot *q);
int finding_by_argument(const struct finding_spot *p, const struct finding_spot *q);

/* Whether lanes need more requests than their bytes would, wherever these begin. */
bool finding_spot_is_uncoalesced(const struct finding_spot *p);

/* Whether all lanes of a warp read one address of what the kernel never writes. */
bool finding_spot_is_uniform(const struct finding_scene *s, const struct finding_spot *p);

/* Whether groups read enough bytes of the argument, often enough, that a tile of it in local memory
 * would be better. */
bool finding_spot_is_reused(const struct finding_scene *s, const struct finding_spot *p);

/* The share of all lines that come in which an access brings in to be read once; 0: it does not. */
double finding_spot_stream_share(const struct finding_spot *p);

/* Whether the hottest lines of the kernel, once found, are a finding. */
bool finding_is_hot(const struct finding_scene *s);

/* Find the hottest lines of s->kernel. Returns 0 or ERR_NOMEM; free heat.sites. */
int finding_heat_find(struct finding_scene *s, struct err *err);

/* Work-items of a full group, in the first launch of the kernel. */
uint64_t finding_group_items(const struct finding_scene *s);

double finding_limit(enum finding_limit limit);

/* a / b; 0 when b is. */
double finding_ratio(uint64_t a, uint64_t b);

/* Turns of the memory pipe that this many bytes take. */
double finding_turns(const struct finding_scene *s, uint64_t bytes);

/* Say in list->not_looked which rules could not look, and what none looks for. */
void finding_blind(struct finding_list *list, const struct report_data *d);

/* Turns that atomics at hot lines wait beyond their requests. Where very many sites meet on a line
 * its counts are reduced and rounded, and may have fewer turns than requests: that is none. */
double finding_hot_waits(const struct finding_spot *p);

/* Turns of what this many misses fetched, each as much as those of the spot on average. */
double finding_miss_turns(const struct finding_scene *s, const struct finding_spot *p,
                          double misses);

/* Add a number that the rule looked at; with a limit, whether it is one to stay below. */
void finding_show(struct finding *f, const char *name, const char *unit, double value);
void finding_show_limit(struct finding *f, const char *name, double value, enum finding_limit limit,
                        bool is_below);

/* Words of sentences, in static or given storage; what quotes the program is between two
 * CUDA_WORDS_QUOTE. */
enum { FINDING_WORDS_BYTES = 96 };
const char *finding_verb(const struct finding_spot *p); /* "reads", "writes", "updates" */
const char *finding_object(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct finding_spot *p);                 /* "B" */
const char *finding_number(char text[FINDING_WORDS_BYTES], double value); /* "32", "2.5" */
/* "; 71% of all misses, capacity", or "" */
const char *finding_misses(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct l1_stats_row *row);

/* "; seen in 32 of 1,024 groups", of an access to local memory that is known of a sample; or "" */
const char *finding_sample(char text[FINDING_WORDS_BYTES], const struct finding_spot *p);

/* "; 5 other accesses likewise", or "" */
const char *finding_others(char text[FINDING_WORDS_BYTES], uint64_t others);

#endif

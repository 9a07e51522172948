/*
 * finding_spot - what the rules of findings look at: an access of the source, with all sites that
 * it became (private to cli/report).
 */
#ifndef FINDING_SPOT_H
#define FINDING_SPOT_H

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

/* Sites of a kernel of one kind, line and argument. Without a line each site is one. */
struct finding_spot {
	const struct report_kernel *kernel;
	size_t site; /* the first, in report_data.sites */
	const struct site *facts;
	struct l1_stats_row l1;
	struct access_pattern pattern;
	struct line_share sharing;
	struct side_counts side;
	struct reuse_bins distances;
	bool is_uncoalesced; /* finding_spot_is_uncoalesced() */
};

/* Of the kernel that is looked at. */
struct finding_scene {
	const struct report_data *data;
	const struct gpu *gpu;
	uint64_t fill_bytes; /* that move in a turn */
	uint64_t turns;      /* of all launches */
	const struct report_kernel *kernel;
	struct finding_spot *spots;
	size_t spot_count;
};

/* Whether a site is one of those of a spot. */
bool finding_spot_has(const struct finding_spot *p, const struct report_site *site);

/* Whether lanes need more requests than their bytes would, wherever these begin. */
bool finding_spot_is_uncoalesced(const struct finding_spot *p);

double finding_limit(enum finding_limit limit);

/* a / b; 0 when b is. */
double finding_ratio(uint64_t a, uint64_t b);

/* Turns of the memory pipe that so many bytes take. */
uint64_t finding_turns(const struct finding_scene *s, uint64_t bytes);

/* Add a number that the rule looked at; with a limit, whether it is one to stay below. */
void finding_show(struct finding *f, const char *name, const char *unit, double value);
void finding_show_limit(struct finding *f, const char *name, double value, enum finding_limit limit,
                        bool is_below);

/*
 * The rules: each returns whether the spot, or the kernel, shows it; then *f has its cost_turns and
 * evidence, and *sentence is what is to be said behind the place (NULL: out of memory).
 */
struct finding_claim {
	struct finding f;
	size_t spot; /* where: an index of scene->spots */
	char *said;
	bool is_found;
};

void finding_uncoalesced(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_misaligned(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_divergent(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_bank_conflict(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_thrashing(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_rewritten(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_streaming(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_false_reuse(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_refetched(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_set_conflict(const struct finding_scene *s, size_t spot, struct finding_claim *c);
void finding_hot_line(const struct finding_scene *s, size_t spot, struct finding_claim *c);

/* Words of sentences, in static or given storage. */
enum { FINDING_WORDS_BYTES = 96 };
const char *finding_verb(const struct finding_spot *p); /* "reads", "writes", "updates" */
const char *finding_object(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct finding_spot *p);                 /* "B" */
const char *finding_number(char text[FINDING_WORDS_BYTES], double value); /* "32", "2.5" */
/* "; 71% of all misses, capacity", or "" */
const char *finding_misses(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct l1_stats_row *row);

/* "; 5 other accesses likewise", or "" */
const char *finding_others(char text[FINDING_WORDS_BYTES], uint64_t others);

#endif

/*
 * finding - something in a kernel's accesses that costs time, described so that a programmer can
 * act on it.
 *
 * Rules, thresholds and advice are the rows of findings.def; docs/findings.md explains them.
 */
#ifndef FINDING_H
#define FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct gpu;
struct report_data;
struct report_numbers;

enum finding_rule {
#define FINDING(NAME, name, most, title, advice) FINDING_##NAME,
#include "findings.def"
#undef FINDING
	FINDING_RULES,
	FINDING_LAST_RULE = FINDING_RULES - 1,
/* Kinds of work that no rule examines. */
#define FINDING_BEYOND(NAME, name, reason) FINDING_##NAME,
#include "findings.def"
#undef FINDING_BEYOND
	FINDING_NAMES
};

/* By the cost as a share of all memory work: findings.def. */
enum finding_severity { FINDING_MINOR, FINDING_NOTABLE, FINDING_SEVERE };

/* What a cost is a share of, in turns: FINDING_WHOLE(NAME, "in JSON", "in sentences"). */
#define FINDING_WHOLES_LIST(FINDING_WHOLE)                                                         \
	FINDING_WHOLE(GLOBAL, "global_memory", "the global-memory work")                           \
	FINDING_WHOLE(MEMORY, "memory", "the work of global and local memory")                     \
	FINDING_WHOLE(SMS, "sms", "the time of all SMs")
enum finding_whole {
#define FINDING_WHOLE(NAME, name, text) FINDING_OF_##NAME,
	FINDING_WHOLES_LIST(FINDING_WHOLE)
#undef FINDING_WHOLE
		FINDING_WHOLES
};

/* A number that the rule examined, and its threshold; `name` and `unit` are static. */
struct finding_evidence {
	const char *name;
	const char *unit; /* "bytes", "requests", "share" (0..1), ... */
	double value;
	double threshold; /* with has_threshold: the minimum or, with is_below, the maximum */
	bool has_threshold, is_below;
};

enum { FINDING_EVIDENCE_MAX = 8 };

struct finding {
	enum finding_rule rule;
	enum finding_severity severity;
	uint32_t kernel;  /* of the recording */
	size_t site;      /* in report_data.sites; the first of several */
	const char *file; /* borrowed; NULL: not known */
	uint32_t line;
	int64_t argument; /* of the kernel; -1: not known */
	/* Turns of the memory pipe (docs/findings.md) that could be saved in addition to those
	   of the kernel's findings before this one. */
	uint64_t cost_turns;
	enum finding_whole whole;
	double cost_share; /* share of that whole, over all replayed launches; all findings of a
	                      whole add up to at most 1 */
	struct finding_evidence evidence[FINDING_EVIDENCE_MAX];
	size_t evidence_count;
	char *sentence;     /* one sentence without the full stop */
	const char *advice; /* what to do; static */
};

struct finding_list {
	struct finding *items; /* by descending cost; those of the SMs' time last */
	size_t count;
	uint64_t turns;       /* of global memory, of all replayed launches */
	uint64_t local_turns; /* of local memory, if it was recorded */
	/* For each rule, why it could not be applied (static), or NULL if it was; and why no rule
	 examines the rest. */
	const char *not_looked[FINDING_NAMES];
};

/* Return "uncoalesced", "requests that other addresses would not need"; static storage. */
const char *finding_name(enum finding_rule rule);
const char *finding_title(enum finding_rule rule);
const char *finding_severity_name(enum finding_severity severity);
const char *finding_whole_name(enum finding_whole whole); /* "global_memory" */
const char *finding_whole_text(enum finding_whole whole); /* "the global-memory work" */

/* Return the turns of global and of local memory (docs/findings.md, "What a finding costs"), and
 * the bytes between L1 and L2 in one turn: turns of GPUs that differ in these cannot be compared.
 */
double finding_global_turns(const struct report_numbers *n, const struct gpu *gpu);
double finding_local_turns(const struct report_numbers *n);
uint32_t finding_turn_bytes(const struct gpu *gpu);

/*
 * "Local memory was sampled in 32 of 1,024 groups and is assumed to be alike in all (standard error
 * of its work 1.2%); record --spaces local records all"; false: all groups were recorded, or none.
 */
enum { FINDING_SAMPLE_BYTES = 256 };
bool finding_sample_text(char text[FINDING_SAMPLE_BYTES], const struct report_numbers *n);

/* Whether a replayed launch uses local memory without accesses in the recording. */
bool finding_lacks_local(const struct report_data *d);

/* Whether every rule was applied: only then is "nothing found" a verdict. */
bool finding_list_is_whole(const struct finding_list *list);

/* Returns the rule with this name of `length` bytes, or FINDING_NAMES if there is none. */
enum finding_rule finding_find(const char *name, size_t length);

/* Apply the rules to data made with patterns, complete except for findings. Returns 0 or ERR_NOMEM;
 * release the list in every case. */
int finding_list_make(struct finding_list *list, const struct report_data *d, struct err *err);
void finding_list_release(struct finding_list *list);

#endif

/*
 * fail_on - the findings that --fail-on asks to be told by the exit status.
 */
#ifndef FAIL_ON_H
#define FAIL_ON_H

#include "finding.h"

struct err;

struct fail_on {
	bool is_asked; /* anything was named */
	bool rules[FINDING_NAMES];
	bool has_severity;
	enum finding_severity severity; /* of any rule, from this on */
};

/* Read names of rules and severities with commas, or "any"; NULL: none. Returns 0 or ERR_USAGE. */
int fail_on_parse(struct fail_on *f, const char *list, struct err *err);

/* How many findings it names. */
size_t fail_on_count(const struct fail_on *f, const struct finding_list *list);

/* A rule that it names, as those of a severity are all, and that could not look: what it would have
 * found is not known. FINDING_NAMES: there is none. */
enum finding_rule fail_on_blind(const struct fail_on *f, const struct finding_list *list);

#endif

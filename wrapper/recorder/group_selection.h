/*
 * group_selection - work-groups, or launches, chosen by number: a list of ranges with steps.
 *
 * Numbers are linear and counted from 0. Overlapping ranges are allowed and select a number once.
 * Immutable: any thread may use it.
 */
#ifndef GROUP_SELECTION_H
#define GROUP_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct group_selection;

/* The syntax, for messages and manuals. */
#define GROUP_SELECTION_SYNTAX                                                                     \
	"N, A..B, A.., ..B, A..B/STEP or /STEP, or a comma-separated list of these"

/* Maximum number of parts. */
#define GROUP_SELECTION_LIMIT 4096

/*
 * Read a comma-separated list of parts. `A..B` is A to B, both included; without A from 0, without
 * B to the end; `/STEP` after a range takes its first number and every STEP-th one after it, and
 * `/STEP` alone is `0../STEP`. Numbers as number_parse() takes them. On success *out is freed with
 * group_selection_free(). Returns 0; ERR_USAGE with "WHAT: ..." and what was expected; ERR_LIMIT
 * for too many parts; ERR_NOMEM.
 */
int group_selection_parse(struct group_selection **out, const char *text, const char *what,
                          struct err *err);

/* NULL is allowed. */
void group_selection_free(struct group_selection *s);

/* Whether number `group` is chosen. */
bool group_selection_has(const struct group_selection *s, uint64_t group);

/*
 * Returns the smallest chosen number in [from, end), or `end` if there is none. Takes time
 * proportional to the number of parts, whatever the distance.
 */
uint64_t group_selection_next(const struct group_selection *s, uint64_t from, uint64_t end);

#endif

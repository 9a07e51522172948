/*
 * bypass_ptx_matcher - the work of bypass_ptx_match, one function at a time (for bypass_ptx_*.c
 * only).
 */
#ifndef BYPASS_PTX_MATCHER_H
#define BYPASS_PTX_MATCHER_H

#include "bypass_list.h"
#include "bypass_ptx_match.h"
#include "ptx_lines.h"
#include "recording.h"

enum { BYPASS_PTX_NOTES_MAX = 100 };

struct bypass_ptx_matcher {
	struct bypass_ptx_match *out;
	const struct ptx_module *m;
	const struct bypass_list *list;
	const struct recording *recording; /* or NULL */
	size_t *rules;                     /* those that are not of addresses; rule_count of them */
	size_t rule_count;
	bool *is_named; /* per load: that it stays was said */
	bool *is_hit;   /* per rule: it chose something */
	char **why;     /* per rule: why it chose nothing, or NULL */
	/* of the function at hand: */
	const struct ptx_function *f;
	const struct recorded_kernel *kernel; /* whose name it has; NULL: none known */
	int32_t *origins;                     /* per load; NULL: not known */
	bool *is_wanted;                      /* per site of the kernel: a rule names it */
	struct ptx_lines lines;
	struct ptx_line_load *found; /* room for all of the lines' */
	struct err *err;
};

/* Rule `rule` means load `load` of the function at hand. Returns 0, ERR_NOMEM. */
int bypass_ptx_choose(struct bypass_ptx_matcher *x, size_t rule, size_t load);

/* Why a rule chooses nothing here; the first such sentence is kept. Returns 0, ERR_NOMEM. */
int bypass_ptx_fails(struct bypass_ptx_matcher *x, size_t rule, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Something to know; at most a hundred are kept. Returns 0, ERR_NOMEM. */
int bypass_ptx_note(struct bypass_ptx_matcher *x, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Say, once, that a load of the function at hand stays as it is, and why. Returns 0, ERR_NOMEM. */
int bypass_ptx_name_obstacle(struct bypass_ptx_matcher *x, size_t load);

/* At the end: count and name the rules that chose nothing. Returns 0, ERR_NOMEM. */
int bypass_ptx_name_rules(struct bypass_ptx_matcher *x);

/* Note in x->is_wanted which sites of the kernel at hand rules name. Returns 0; ERR_USAGE when a
 * rule's place is not that of its site. */
int bypass_ptx_want_sites(struct bypass_ptx_matcher *x);

/* Apply a rule of a site to the function at hand. Returns 0, ERR_NOMEM. */
int bypass_ptx_match_site(struct bypass_ptx_matcher *x, size_t rule);

/* Whether a rule is of the function at hand. */
bool bypass_ptx_is_of(const struct bypass_ptx_matcher *x, const struct bypass_rule *rule);

/* What a place's file is for ptx_lines_find(): NULL for a text that the program had in itself. */
const char *bypass_ptx_file(const char *file);

#endif

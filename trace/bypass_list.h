/*
 * bypass_list - rules for which reads bypass L1, on a command line and in a file.
 *
 * A read bypasses L1 if any rule names it; writes and atomics never do. l1_visit.h defines what a
 * bypassing read does, bypass_plan.h what rules mean for a launch. Whether a rule names anything in
 * a recording is not checked here. It is in this room because this is the only room that all rooms
 * that apply a list can see.
 *
 * On a command line rules are comma-separated, "site:4,argument:B,warps:3", and apply to all
 * kernels. In a file, UTF-8 text whose first line is `warpline bypass 1`, there is one on each
 * line:
 *
 *     kernel mm                      # the following is for kernels of this name; `kernel *`, and
 *                                    # rules before the first: for all kernels
 *     site 4 at mm.cl:9:12 #1        # `at FILE:LINE:COLUMN #ORDINAL` may be left out
 *     argument B
 *     address 0x10000080 sm 3        # of this SM only
 *     warps 3
 *
 * `#` begins a comment, except before the number after a place. Lines may be empty. A name with
 * spaces, control characters, quotes or backslashes, an empty one, `*`, and one that begins with #
 * is written as a JSON string.
 */
#ifndef BYPASS_LIST_H
#define BYPASS_LIST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;

enum bypass_kind {
#define BYPASS_KIND(NAME, word, number, text) BYPASS_##NAME,
#include "bypass_kinds.def"
#undef BYPASS_KIND
};

/* Where a site is in the source; `ordinal` counts the read sites of its kernel on that line, from
 * 1, in the order of sites; 0: not given. */
struct bypass_place {
	char *file; /* NULL: no place */
	uint32_t line, column, ordinal;
};

struct bypass_rule {
	enum bypass_kind kind;
	char *kernel;              /* NULL: of all kernels */
	uint64_t number;           /* of a site, line, buffer; PI; address */
	int64_t sm;                /* of an address; -1: of all */
	char *name;                /* of an argument; else NULL */
	struct bypass_place place; /* of a site */
};

/* Zeroed: no rule, nothing bypasses. The list owns the strings, and neighbouring rules share the
 * name of their kernel: change it only with the functions below. */
struct bypass_list {
	struct bypass_rule *rules;
	size_t count, capacity;
};

enum { BYPASS_RULES_MAX = 1 << 22, BYPASS_NAME_MAX = 4096 };

/* The kinds that a list may have: one bit for each, by number. */
#define BYPASS_KINDS_ANY UINT32_MAX

/* Append a copy of *rule, with copies of its strings. Returns 0, ERR_LIMIT, ERR_NOMEM. */
int bypass_list_add(struct bypass_list *list, const struct bypass_rule *rule, struct err *err);

/* Accepts a zeroed list, and leaves one. */
void bypass_list_release(struct bypass_list *list);

/* Add the rules of a command line. Returns 0, ERR_USAGE, ERR_LIMIT, ERR_NOMEM; after a failure some
 * may have been added. The string `none` adds no rule, if all kinds are allowed. */
int bypass_list_parse(struct bypass_list *list, const char *text, struct err *err);
int bypass_list_parse_kinds(struct bypass_list *list, const char *text, uint32_t kinds,
                            struct err *err);

/* Add the rules of a file's contents, which are modified; `path` is for messages. */
int bypass_list_read_text(struct bypass_list *list, const char *path, char *text, size_t length,
                          struct err *err);

/* Add rules from a command line's string, or from the file that it names. It is a list of rules if
 * it begins with the word of a kind and a colon, is `all` or `none`, begins with `all,`, or begins
 * with another word and a colon and is not the name of a file. */
int bypass_list_load(struct bypass_list *list, const char *text_or_path, struct err *err);

/* Write the list as a file that reads back as the same list. Returns 0 or ERR_IO. */
int bypass_list_write(const struct bypass_list *list, FILE *out, struct err *err);

/* Static storage. */
const char *bypass_kind_word(enum bypass_kind kind);

#endif

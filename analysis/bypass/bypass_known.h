/*
 * bypass_known - the measured bypass lists of a kernel, with their results.
 *
 * Lists that let the same reads bypass L1 count as one: rules for sites, lines, arguments and all
 * are identified by the sites that they name. Long lists are kept but not found again.
 */
#ifndef BYPASS_KNOWN_H
#define BYPASS_KNOWN_H

#include "array.h"
#include "bypass_measure.h"

#include <stddef.h>
#include <stdint.h>

struct bypass_list;
struct err;
struct recording;

/* Maximum number of rules of a list that is found again, and of rules in its text. */
enum { BYPASS_KNOWN_RULES = 4096, BYPASS_KNOWN_SHOWN = 256 };

struct known_list {
	uint64_t hash;
	char *key;  /* NULL: too long to be found again */
	char *text; /* "site:1,warps:3", "none"; the first rules and "..." of a long list */
	size_t rules;
	struct bypass_measure measure;
};

struct bypass_known {
	const struct recording *recording; /* borrowed, as the name */
	const char *kernel;
	uint32_t warps;     /* maximum of a group */
	struct array lists; /* struct known_list, in the order of their measurement */
};

/* Begin without lists, for the kernels of this name. Release in every case. */
void bypass_known_init(struct bypass_known *k, const struct recording *r, const char *kernel,
                       uint32_t warps);
void bypass_known_release(struct bypass_known *k);

/* Returns the key of all lists that let the same reads bypass L1; the caller frees it. NULL for a
 * list too long to be found again (err->code is 0), or with ERR_NOMEM. */
char *bypass_known_key(const struct bypass_known *k, const struct bypass_list *list,
                       struct err *err);

/* Returns the measure of a key; NULL: not known. Valid until the next addition. */
const struct bypass_measure *bypass_known_find(const struct bypass_known *k, const char *key);

/* Add a measure; the key is copied and may be NULL. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int bypass_known_add(struct bypass_known *k, const char *key, const struct bypass_list *list,
                     const struct bypass_measure *m, struct err *err);

#endif

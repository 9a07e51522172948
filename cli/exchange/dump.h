/*
 * dump - the accesses of launches as text, JSON and CSV, in the recorded order; and in the 2014
 * format (ancestor.h), which `export` writes too.
 */
#ifndef DUMP_H
#define DUMP_H

#include "access_walk.h"

#include <stdio.h>

/* In the order of the words of `dump --format`. */
enum dump_format { DUMP_TEXT, DUMP_JSON, DUMP_CSV, DUMP_ANCESTOR };

struct dump {
	/* Set by the caller. */
	FILE *out; /* borrowed; callers check for write errors */
	struct access_walk walk;
	/* What the 2014 format could not hold, counted. */
	uint64_t lost_address_bits, lost_sizes, lost_fences;
};

/* Print the launches of d->walk. Returns 0; ERR_UNSUPPORTED for what the 2014 format cannot
 * express; or as access_walk_run(). */
int dump_write(struct dump *d, enum dump_format format, struct err *err);

/* Print the 2014 format, a part of dump_write(). */
int dump_ancestor_write(struct dump *d, struct err *err);

/* Report on stderr, as `command`, what the 2014 format could not hold. */
void dump_ancestor_say_losses(const struct dump *d, const char *command);

#endif

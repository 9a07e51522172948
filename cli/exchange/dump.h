/*
 * dump - prints the accesses of launches; one table of callbacks per format.
 *
 * Nothing is gathered: one decoded chunk of the recording is in memory, and a piece of a work-item.
 */
#ifndef DUMP_H
#define DUMP_H

#include "access.h"
#include "recording.h"

#include <stdatomic.h>
#include <stdio.h>

/* A dump under way: what a format may use and what it keeps. */
struct dump {
	FILE *out;
	const struct recording *recording;
	size_t launch; /* being printed */
	bool is_first; /* no launch was printed before it */
	const struct recorded_launch *facts;
	const struct kernel_table *table;
	uint32_t *numbers; /* per site: its number among those that access memory, from 1 */
	uint64_t group;
	uint64_t id[3];           /* global id of the work-item */
	void *context;            /* of a format */
	_Atomic uint64_t *played; /* accesses of launches are added; NULL: nobody asks */
	/* What a format could not hold, counted. */
	uint64_t lost_address_bits, lost_sizes, lost_fences;
};

/* Each returns 0 or a negative ERR_*. begin and end may be NULL. */
struct dump_format {
	const char *name;
	int (*begin)(struct dump *d, struct err *err); /* of a launch */
	int (*access)(struct dump *d, const struct access *a, struct err *err);
	int (*end)(struct dump *d, struct err *err);
	const char *head; /* printed once, before the first launch; NULL for none */
};

extern const struct dump_format dump_text, dump_json, dump_csv, dump_ancestor;

/*
 * The buffer that an access touches, and the offset of its address in it: of the launch's
 * arguments, else of the shared virtual memory. Returns -1 when there is none, as for local memory.
 */
int64_t dump_buffer(const struct dump *d, const struct access *access, uint64_t *offset);

/* Print one launch; `group` chooses one group, NULL all. Returns 0, ERR_USAGE for a launch that was
 * not traced or a group that does not exist, ERR_FORMAT, ERR_UNSUPPORTED, ERR_IO, ERR_NOMEM.
 * *is_whole becomes false when something of the launch is missing. */
int dump_launch(struct dump *d, const struct dump_format *format, const uint64_t *group,
                bool *is_whole, struct err *err);

/* Say on stderr, as `command`, what the format could not hold. */
void dump_say_losses(const struct dump *d, const char *command);

#endif

/*
 * plain_accesses - the accesses of one work-item as a test understands them: written
 * out one by one from its packed events, by their definition in event.h, and sorted.
 */
#ifndef PLAIN_ACCESSES_H
#define PLAIN_ACCESSES_H

#include "event.h"
#include "kernel_table.h"

#include <stddef.h>

#define PLAIN_DEPTH_MOST 8

struct plain_access {
	uint64_t address;
	uint64_t iteration[PLAIN_DEPTH_MOST]; /* outermost loop first; 0 behind the innermost */
	uint32_t site;
};

struct plain_accesses {
	struct plain_access *items;
	size_t count;
};

/* Write out `count` events; fails the running test when they are not as event.h says. */
void plain_accesses_init(struct plain_accesses *p, const struct event *events, size_t count,
                         const struct kernel_table *table);
void plain_accesses_release(struct plain_accesses *p);

/* Fail the running test, naming the first difference, unless both are the same. */
void plain_accesses_assert_equal(const struct plain_accesses *found,
                                 const struct plain_accesses *expected);

#endif

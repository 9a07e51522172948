/*
 * launch_choice - the launches that --launch chooses: one or all.
 */
#ifndef LAUNCH_CHOICE_H
#define LAUNCH_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct recording;

struct launch_choice {
	const struct recording *recording;
	size_t first, end; /* launches first .. end - 1, as indexes of recording->launches */
	uint64_t number;   /* that --launch gave */
	bool is_one;       /* --launch was given */
};

/* All launches, or, where `number` is not NULL, the one with that number. */
struct launch_choice launch_choice_make(const struct recording *r, const uint64_t *number);

/* Returns 0, or ERR_USAGE when the one launch does not exist or was not recorded. */
int launch_choice_check(const struct launch_choice *c, struct err *err);

/* The accesses of those that were recorded, and of one of them: what there is to play. */
uint64_t launch_choice_accesses(const struct launch_choice *c);
uint64_t launch_choice_accesses_of(const struct recording *r, size_t launch);

#endif

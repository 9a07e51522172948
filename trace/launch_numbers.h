/*
 * launch_numbers - launches by their numbers, of which some have no line; private to trace/.
 */
#ifndef LAUNCH_NUMBERS_H
#define LAUNCH_NUMBERS_H

#include "recording.h"

/* The launch with a number among `count`, which are in ascending order of theirs, or NULL. */
struct recorded_launch *launch_numbers_find(const struct recorded_launch *launches, size_t count,
                                            uint64_t number);

/* Set launches_seen and launches_unknown. ERR_FORMAT when more launches are told of than there are
 * numbers. */
int launch_numbers_count(struct recording *r, struct err *err);

#endif

/*
 * fault_points - libc, in which one call fails: the next, the one after it, and so on.
 *
 * Only calls made from objects that are linked with --wrap come here; the test
 * itself makes none while a fault is armed, and the mock driver allocates in
 * its own way. open() is among them.
 */
#ifndef FAULT_POINTS_H
#define FAULT_POINTS_H

#include <stdbool.h>
#include <stddef.h>

/* From now on calls are numbered from 0, and call `number` fails once (SIZE_MAX: none). */
void fault_points_arm(size_t number);

/* Count no more, and fail none. */
void fault_points_disarm(void);

/* The name of the call that failed; NULL: none, there were fewer. */
const char *fault_points_failed(void);

#endif

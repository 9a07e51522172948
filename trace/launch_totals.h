/*
 * launch_totals - adding up what launch files hold; private to trace/.
 */
#ifndef LAUNCH_TOTALS_H
#define LAUNCH_TOTALS_H

#include "launch_writer.h"

/* *to += *from, number by number. Returns false when a sum does not fit: it is 2^64 - 1 then. */
static inline bool launch_totals_add(struct launch_totals *to, const struct launch_totals *from)
{
	bool fits = true;

#define TOTAL(name)                                                                                \
	if (__builtin_add_overflow(to->name, from->name, &to->name)) {                             \
		to->name = UINT64_MAX;                                                             \
		fits = false;                                                                      \
	}
#include "launch_totals.def"
#undef TOTAL
	return fits;
}

#endif

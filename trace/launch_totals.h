/*
 * launch_totals - adding up what launch files hold; private to trace/.
 */
#ifndef LAUNCH_TOTALS_H
#define LAUNCH_TOTALS_H

#include "launch_writer.h"

/* *to += *from, number by number. */
static inline void launch_totals_add(struct launch_totals *to, const struct launch_totals *from)
{
#define TOTAL(name) to->name += from->name;
#include "launch_totals.def"
#undef TOTAL
}

#endif

/*
 * bypass_choice - which of several bypass lists to apply, or none.
 *
 * A list above bypass_measure_ceiling() is not an option. A gain below the threshold, a share of
 * cache-all's figure, is no gain: do not bypass. Lists that gain and whose figure is within the
 * threshold of the best are equally good; among them those whose second figure is within the
 * threshold of the least; of these the list with the fewest rules wins, then the better one, then
 * the first. If no list gains, a list that loses less than the threshold in the first figure is
 * chosen if its gain in the first and a tenth of its gain in the second, as shares, reach the
 * threshold: 10% of bytes are worth 1% of cycles. Among several of these, as above.
 */
#ifndef BYPASS_CHOICE_H
#define BYPASS_CHOICE_H

#include "bypass_measure.h"

#include <stddef.h>
#include <stdint.h>

enum { BYPASS_CHOICE_THRESHOLD_PPM = 10000 }; /* by default 1% of cache-all's figure */

struct bypass_option {
	struct bypass_measure measure;
	size_t rules;
};

/* The limits within which options count as equal to the best. */
struct bypass_slack {
	uint64_t ceiling;       /* options whose figure is above it are excluded, */
	uint64_t most_bytes;    /* and those that move more from L2 */
	uint64_t first, second; /* the figures may exceed the least by this much */
};

/* Returns the number of the option to apply; 0 is cache-all: do not bypass. count >= 1. The
 * threshold is in millionths. */
size_t bypass_choose(const struct bypass_option *options, size_t count,
                     enum bypass_objective objective, uint32_t threshold_ppm);

/* No slack, only the judge's ceiling of bytes, or the fewest bytes of any option if all are
 * above it. */
struct bypass_slack bypass_slack_of(const struct bypass_option *options, size_t count,
                                    const struct bypass_judge *judge);

/* Returns the number of the best option within `slack` of the least figures; `count` if there is
 * none. */
size_t bypass_pick(const struct bypass_option *options, size_t count,
                   enum bypass_objective objective, const struct bypass_slack *slack);

#endif

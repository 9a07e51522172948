/*
 * bypass_choice - which of several bypass lists to apply, or none; and the hybrid of two kinds.
 *
 * A list above the ceiling of bypass_measure_ceiling() is none. What gains less than a threshold of
 * what cache-all takes is no gain: do not bypass. Of lists that gain, those are as good as one
 * another whose figure is within the threshold of the best; of these those whose second figure is
 * within it of the least; of these that of fewest rules wins, then the better one, then the first.
 * Where nothing gains, a list that loses less than the threshold in the first figure is worth it if
 * what it gains in the first and a tenth of what it gains in the second, as parts, reach the
 * threshold: 10 % of bytes are worth 1 % of cycles. Of several, as above.
 */
#ifndef BYPASS_CHOICE_H
#define BYPASS_CHOICE_H

#include "bypass_measure.h"
#include "warp_curve.h"

#include <stddef.h>
#include <stdint.h>

struct bypass_list;
struct err;

enum { BYPASS_CHOICE_THRESHOLD_PPM = 10000 }; /* by default 1 % of what cache-all takes */

struct bypass_option {
	struct bypass_measure measure;
	size_t rules;
};

/* What is as good as the best. */
struct bypass_slack {
	uint64_t ceiling;       /* options whose figure is above it are none, */
	uint64_t most_bytes;    /* nor are those that move more from L2 */
	uint64_t first, second; /* what the figures may be above the least */
};

/* The number of the option to apply; 0, which is cache-all: none. count >= 1. The threshold is in
 * millionths. */
size_t bypass_choose(const struct bypass_option *options, size_t count,
                     enum bypass_objective objective, uint32_t threshold_ppm);

/* None but the judge's ceiling of bytes, or the fewest bytes of any option where all are above it.
 */
struct bypass_slack bypass_slack_of(const struct bypass_option *options, size_t count,
                                    const struct bypass_judge *judge);

/* The same of any options, as `slack` says; `count` when none is left. */
size_t bypass_pick(const struct bypass_option *options, size_t count,
                   enum bypass_objective objective, const struct bypass_slack *slack);

/*
 * The hybrid (Li 2016, 5.4.2: left there for later): the best list of sites, and then the best PI
 * for what it leaves to L1. `curve` is that of warp_curve_measure() with `sites` as its base; its
 * best point's list is added to *list: `sites` and the warps rule, without the rule where PI is
 * all warps, and without `sites` where PI is 0, as all is bypassed then. Returns 0 or what
 * bypass_list_add() does.
 */
int bypass_hybrid_list(const struct warp_curve *curve, char *kernel,
                       const struct bypass_list *sites, struct bypass_list *list, struct err *err);

#endif
